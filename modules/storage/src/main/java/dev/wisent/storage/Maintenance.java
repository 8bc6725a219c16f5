package dev.wisent.storage;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.FlushOptions;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** The rarely used operations of an engine. The caller holds the engine's guard. */
final class Maintenance {
  /** Above every key that is in use: keys begin with an ident, and idents are handed out from 1. */
  private static final byte[] ABOVE_ALL_KEYS = {
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF,
    (byte) 0xFF
  };

  private final RocksDB db;
  private final DataDirectory directory;

  /** Guarded by itself, so that none is freed while it is being cancelled. */
  private final Set<CompactRangeOptions> runningCompactions = new HashSet<>();

  Maintenance(RocksDB db, DataDirectory directory) {
    this.db = db;
    this.directory = directory;
  }

  /** Writes all memtables to files. */
  void flush(List<ColumnFamilyHandle> handles) throws RocksDBException {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      db.flush(options, handles);
    }
  }

  void compact(ColumnFamilyHandle handle, byte[] lower, byte[] upper) throws RocksDBException {
    CompactRangeOptions options =
        new CompactRangeOptions()
            .setExclusiveManualCompaction(false)
            .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized);
    synchronized (runningCompactions) {
      runningCompactions.add(options);
    }
    try {
      db.compactRange(handle, lower, upper, options);
    } finally {
      synchronized (runningCompactions) {
        runningCompactions.remove(options);
        options.close();
      }
    }
  }

  /** Makes {@link #compact} calls that are under way end soon. */
  void cancelCompactions() {
    synchronized (runningCompactions) {
      runningCompactions.forEach(options -> options.setCanceled(true));
    }
  }

  long approximateBytes(ColumnFamilyHandle handle, byte[] lower, byte[] upper) {
    try (Slice from = new Slice(lower == null ? new byte[0] : lower);
        Slice to = new Slice(upper == null ? ABOVE_ALL_KEYS : upper)) {
      return db.getApproximateSizes(
              handle,
              List.of(new Range(from, to)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
    }
  }

  long diskBytes() {
    try (Stream<Path> files = Files.walk(directory.root())) {
      return files.mapToLong(Maintenance::sizeBytes).sum();
    } catch (IOException e) {
      throw directory.failure("measure", e);
    }
  }

  /** Files come and go while we walk. */
  private static long sizeBytes(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  void checkpoint(Path target) throws RocksDBException {
    if (Files.exists(target)) {
      throw new StorageException(
          Kind.NOT_WRITABLE, "The checkpoint directory " + target + " exists already");
    }
    Path temporary = target.resolveSibling(target.getFileName() + ".incomplete");
    DataDirectory copy = new DataDirectory(temporary);
    try {
      DataDirectory.deleteRecursively(temporary);
      Files.createDirectories(temporary);
      try (Checkpoint checkpoint = Checkpoint.create(db)) {
        checkpoint.createCheckpoint(copy.data().toString());
      }
      copy.writeFormat();
      OnDisk.move(temporary, target);
    } catch (IOException e) {
      StorageException failure = copy.failure("write a checkpoint to", e);
      remove(temporary, failure);
      throw failure;
    } catch (RocksDBException e) {
      remove(temporary, e);
      throw e;
    }
  }

  /** A checkpoint that could not be made leaves no links: they would keep the space of files. */
  private static void remove(Path temporary, Exception failure) {
    try {
      DataDirectory.deleteRecursively(temporary);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  Map<String, Long> properties(Cache cache, List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    Map<String, Long> figures = new TreeMap<>();
    figures.put("cache.usedBytes", cache.getUsage());
    figures.put("cache.pinnedBytes", cache.getPinnedUsage());
    figures.put("cache.capacityBytes", db.getLongProperty("rocksdb.block-cache-capacity"));
    figures.put("memtable.bytes", db.getAggregatedLongProperty("rocksdb.size-all-mem-tables"));
    figures.put("files.bytes", db.getAggregatedLongProperty("rocksdb.total-sst-files-size"));
    figures.put("files.liveBytes", db.getAggregatedLongProperty("rocksdb.live-sst-files-size"));
    figures.put(
        "files.readerBytes", db.getAggregatedLongProperty("rocksdb.estimate-table-readers-mem"));
    figures.put(
        "compaction.pendingBytes",
        db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"));
    figures.put("compaction.running", db.getLongProperty("rocksdb.num-running-compactions"));
    figures.put("flush.running", db.getLongProperty("rocksdb.num-running-flushes"));
    figures.put("write.stopped", db.getLongProperty("rocksdb.is-write-stopped"));
    figures.put(
        "write.delayedBytesPerSecond", db.getLongProperty("rocksdb.actual-delayed-write-rate"));
    figures.put("errors.background", db.getLongProperty("rocksdb.background-errors"));
    figures.put("snapshots.open", db.getLongProperty("rocksdb.num-snapshots"));
    figures.put("sequence", db.getLatestSequenceNumber());
    for (Keyspace keyspace : Keyspace.values()) {
      ColumnFamilyHandle handle = handles.get(keyspace.ordinal() + 1);
      String name = keyspace.familyName();
      figures.put(
          name + ".memtable.bytes", db.getLongProperty(handle, "rocksdb.size-all-mem-tables"));
      figures.put(
          name + ".files.liveBytes", db.getLongProperty(handle, "rocksdb.live-sst-files-size"));
      figures.put(name + ".keys", db.getLongProperty(handle, "rocksdb.estimate-num-keys"));
    }
    return figures;
  }
}
