package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A data directory that has been opened, checked and recovered, with the native objects that belong
 * to it.
 *
 * @param recovery empty when the store was closed in good order before
 * @param syncMark null where the store is only read
 * @param appliedMark null without a replicated log
 * @param handles of RocksDB's default family first, then of the keyspaces in the order of their ids
 */
record OpenStore(
    DataDirectory directory,
    DirectoryLock lock,
    TemporaryFiles temporaryFiles,
    RocksOptions rocksOptions,
    RocksDB db,
    SyncMark syncMark,
    Optional<CrashRecovery> recovery,
    AppliedMark appliedMark,
    List<ColumnFamilyHandle> handles)
    implements AutoCloseable {

  static OpenStore open(StorageOptions options) {
    DataDirectory directory = new DataDirectory(options.dbPath().toAbsolutePath().normalize());
    directory.prepare();
    var temporaryFiles = new TemporaryFiles(directory);
    OpenStore store = open(options, directory, temporaryFiles);
    try {
      temporaryFiles.clear();
    } catch (IOException e) {
      store.close();
      throw directory.failure("open", e);
    }
    return store;
  }

  /** Opens a directory without changing anything in it. */
  static OpenStore openReadOnly(StorageOptions options) {
    var directory = new DataDirectory(options.dbPath().toAbsolutePath().normalize());
    directory.checkReadable();
    Path database = ContentsSwitch.current(directory);
    RocksDB.loadLibrary();
    try {
      DirectoryLock lock = DirectoryLock.shared(directory, database);
      var rocksOptions = new RocksOptions(options);
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try {
        RocksDB db =
            RocksDB.openReadOnly(
                rocksOptions.database(),
                database.toString(),
                rocksOptions.descriptors(options),
                handles);
        return new OpenStore(
            directory,
            lock,
            TemporaryFiles.outsideOf(directory),
            rocksOptions,
            db,
            null,
            Optional.empty(),
            null,
            handles);
      } catch (RocksDBException e) {
        rocksOptions.close();
        lock.close();
        throw directory.openFailure(e);
      }
    } catch (IOException e) {
      throw directory.failure("read", e);
    }
  }

  /** Before the database releases its lock, so that the next owner's id is not overwritten. */
  void disown() {
    if (!isReadOnly()) {
      directory.clearOwner();
    }
  }

  /** Whether nothing may be changed. */
  boolean isReadOnly() {
    return syncMark == null;
  }

  /** Opens the database in a directory that is prepared. */
  static OpenStore open(
      StorageOptions options, DataDirectory directory, TemporaryFiles temporaryFiles) {
    DirectoryLock lock;
    try {
      lock = DirectoryLock.exclusive(directory);
    } catch (IOException e) {
      throw directory.failure("lock", e);
    }
    try {
      return open(options, directory, lock, temporaryFiles);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static OpenStore open(
      StorageOptions options,
      DataDirectory directory,
      DirectoryLock lock,
      TemporaryFiles temporaryFiles) {
    RocksDB.loadLibrary();
    RocksOptions rocksOptions = new RocksOptions(options);
    RocksDB db = null;
    SyncMark mark = null;
    AppliedMark applied = null;
    KeptLogs logs = null;
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try {
      logs = KeptLogs.keep(directory.root(), directory.data());
      Optional<CrashRecovery.Unclosed> unclosed = CrashRecovery.Unclosed.find(directory);
      db =
          RocksDB.open(
              rocksOptions.database(),
              directory.data().toString(),
              rocksOptions.descriptors(options),
              handles);
      verifyIds(handles, directory);
      mark = SyncMark.open(directory.data());
      verifyRecovery(db.getLatestSequenceNumber(), mark, logs, options);
      RocksDB opened = db;
      Optional<CrashRecovery> recovery = unclosed.map(store -> store.opened(opened));
      if (options.replicatedLog()) {
        applied = AppliedMark.open(directory.data(), options.journalIntervalMillis());
      }
      directory.writeOwner();
      return new OpenStore(
          directory, lock, temporaryFiles, rocksOptions, db, mark, recovery, applied, handles);
    } catch (RocksDBException e) {
      rocksOptions.close();
      throw directory.openFailure(e);
    } catch (IOException e) {
      close(mark, applied, handles, db, rocksOptions);
      throw directory.failure("open", e);
    } catch (StorageException e) {
      close(mark, applied, handles, db, rocksOptions);
      throw e;
    } finally {
      if (logs != null) {
        logs.discard();
      }
    }
  }

  /** Whether everything is there that was on disk before. */
  private static void verifyRecovery(
      long recovered, SyncMark mark, KeptLogs logs, StorageOptions options) throws IOException {
    if (recovered >= mark.sequence()) {
      return;
    }
    Path retained = logs.retain();
    if (!options.acceptDamagedLog()) {
      throw new StorageException(
          Kind.CORRUPT,
          "The log in the data directory "
              + options.dbPath()
              + " is damaged: it could be read up to change "
              + recovered
              + ", but change "
              + mark.sequence()
              + " had been written to disk. Restore a backup, or start once with --repair, which"
              + " keeps the changes up to the damage. The logs as they were are in "
              + retained);
    }
    mark.reset(recovered);
  }

  /** Mutations name keyspaces by id: a family with another id would send changes astray. */
  private static void verifyIds(List<ColumnFamilyHandle> handles, DataDirectory directory) {
    for (Keyspace keyspace : Keyspace.values()) {
      int id = handles.get(keyspace.ordinal() + 1).getID();
      if (id != keyspace.id()) {
        throw new StorageException(
            Kind.FORMAT,
            "In the data directory "
                + directory.root()
                + " keyspace '"
                + keyspace.familyName()
                + "' has id "
                + id
                + " instead of "
                + keyspace.id());
      }
    }
  }

  /**
   * Syncs the log of the store. Under a replicated log there are changes in between that are not in
   * this one, so the mark cannot speak of all of them.
   */
  void syncLog() throws RocksDBException {
    long written = db.getLatestSequenceNumber();
    db.syncWal();
    if (appliedMark == null) {
      syncMark.advance(written);
    }
  }

  /** Readers are about to see the replicated log applied up to an index. */
  void noteApplied(long index) {
    if (appliedMark != null) {
      appliedMark.set(index);
    }
  }

  /** Another log counts from now on, of which readers have seen nothing behind an index. */
  void enterLog(long index) {
    if (appliedMark != null) {
      appliedMark.reset(index);
    }
  }

  /** The index that was noted last; -1 if none was. */
  long markedIndex() {
    return appliedMark == null ? -1 : appliedMark.index();
  }

  void syncMarks() {
    if (appliedMark != null) {
      appliedMark.force();
    }
  }

  @Override
  public void close() {
    close(syncMark, appliedMark, handles, db, rocksOptions);
    lock.close();
  }

  private static void close(
      SyncMark mark,
      AppliedMark applied,
      List<ColumnFamilyHandle> handles,
      RocksDB db,
      RocksOptions rocksOptions) {
    if (mark != null) {
      mark.close();
    }
    if (applied != null) {
      applied.close();
    }
    handles.forEach(ColumnFamilyHandle::close);
    if (db != null) {
      db.close();
    }
    rocksOptions.close();
  }
}
