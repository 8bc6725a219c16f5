package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WALRecoveryMode;

/**
 * How new a checkpoint is, as it says itself: writes go on while one is made.
 *
 * @param position of the replicated log; {@link LogPosition#START} without one
 * @param timestamp of its newest oplog entry; 0 without one
 */
public record CheckpointContents(LogPosition position, long timestamp) {
  /** The format of data directories that this version writes. */
  public static final int FORMAT = DataDirectory.FORMAT_VERSION;

  /** Few files of it are looked at. */
  private static final int OPEN_FILES_MAX = 16;

  /**
   * Writes what the log of a checkpoint has to a table file, and reads how new it is. The log of a
   * store is a file that is used again: most of its bytes are old records, as many as a memtable
   * has, which a copy would have to carry. The table files that are there stay as they are.
   *
   * @param checkpoint a data directory that is not in use
   */
  public static CheckpointContents settle(Path checkpoint) {
    DataDirectory directory = new DataDirectory(checkpoint);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (var counters = new UInt64AddOperator();
        var family =
            new ColumnFamilyOptions()
                .setMergeOperator(counters)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setDisableAutoCompactions(true);
        var options =
            new DBOptions()
                .setMaxOpenFiles(OPEN_FILES_MAX)
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
        RocksDB db =
            RocksDB.open(options, directory.data().toString(), families(family), handles)) {
      return read(db, handles);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("read the checkpoint " + checkpoint, e);
    } finally {
      removeMessages(directory.data());
    }
  }

  private static List<ColumnFamilyDescriptor> families(ColumnFamilyOptions options) {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options));
    for (Keyspace keyspace : Keyspace.values()) {
      families.add(new ColumnFamilyDescriptor(keyspace.familyNameBytes(), options));
    }
    return families;
  }

  private static CheckpointContents read(RocksDB db, List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    try {
      ColumnFamilyHandle system = handles.get(Keyspace.SYSTEM.ordinal() + 1);
      return new CheckpointContents(
          AppliedPosition.of(db.get(system, AppliedPosition.key())),
          newestEntry(db, handles.get(Keyspace.OPLOG.ordinal() + 1)));
    } finally {
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  private static long newestEntry(RocksDB db, ColumnFamilyHandle oplog) throws RocksDBException {
    try (RocksIterator entries = db.newIterator(oplog)) {
      entries.seekToLast();
      entries.status();
      return entries.isValid() ? OplogKeys.timestamp(entries.key()) : 0;
    }
  }

  /** A store that is opened writes messages beside its files, and a file for its lock. */
  private static void removeMessages(Path database) {
    try (Stream<Path> files = Files.list(database)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("LO")) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new DataDirectory(database.getParent()).failure("clean", e);
    }
  }
}
