package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The store of one node: ordered keyspaces of byte keys and values in one RocksDB database.
 *
 * <p>Reading the engine itself reads the newest state; {@link #snapshot()} fixes one. Changes go
 * through a {@link CommitLog}. Safe for use by many threads. After {@link #close()} everything
 * throws {@link Kind#CLOSED}, also calls on snapshots and cursors that were open.
 */
public final class StorageEngine implements ReadView, AutoCloseable {
  private static final long BULK_READAHEAD_BYTES = 1 << 20;

  private final StorageOptions options;
  private final OpenStore store;
  private final RocksDB db;
  private final ColumnFamilyHandle[] handles;
  private final ReadOptions latest = new ReadOptions();
  private final WriteOptions writeOptions = new WriteOptions();
  private final UseGuard guard = new UseGuard("The storage engine");
  private final Set<NativeResource> resources = ConcurrentHashMap.newKeySet();
  private final RangeDropper rangeDropper;
  private final Maintenance maintenance;

  private StorageEngine(StorageOptions options, OpenStore store) {
    this.options = options;
    this.store = store;
    this.db = store.db();
    this.handles =
        store.handles().subList(1, store.handles().size()).toArray(ColumnFamilyHandle[]::new);
    this.rangeDropper = new RangeDropper(db, writeOptions);
    this.maintenance = new Maintenance(db, store.directory());
  }

  /** Opens a data directory, creating it when absent and recovering it after a crash. */
  public static StorageEngine open(StorageOptions options) {
    return new StorageEngine(options, OpenStore.open(options));
  }

  public StorageOptions options() {
    return options;
  }

  /** Where to put what does not fit into memory. */
  public TemporaryFiles temporaryFiles() {
    return store.temporaryFiles();
  }

  @Override
  public long sequence() {
    guard.enter();
    try {
      return db.getLatestSequenceNumber();
    } finally {
      guard.exit();
    }
  }

  @Override
  public byte[] get(Keyspace keyspace, byte[] key) {
    return get(latest, keyspace, key);
  }

  @Override
  public int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset) {
    return get(latest, keyspace, key, keyLength, dest, destOffset);
  }

  @Override
  public List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys) {
    return multiGet(latest, keyspace, keys);
  }

  @Override
  public long counter(Keyspace keyspace, byte[] key) {
    return counter(latest, keyspace, key);
  }

  @Override
  public KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint) {
    return cursor(latest, new KeyRange(keyspace, lowerInclusive, upperExclusive, reverse), hint);
  }

  /** Fixes the current state for reading. */
  public Snapshot snapshot() {
    guard.enter();
    try {
      Snapshot snapshot = new Snapshot(this, db.getSnapshot());
      resources.add(snapshot);
      return snapshot;
    } finally {
      guard.exit();
    }
  }

  /** Begins to bring in many entries at once, of idents that nobody can see. */
  public SstIngest newIngest(Keyspace keyspace) {
    guard.enter();
    try {
      var tableOptions =
          new Options(store.rocksOptions().database(), store.rocksOptions().family(keyspace));
      var ingest = new SstIngest(this, keyspace, store.temporaryFiles(), tableOptions);
      resources.add(ingest);
      return ingest;
    } finally {
      guard.exit();
    }
  }

  /**
   * Takes files into the store. Older snapshots see them too, for which nobody can look: hidden
   * from those they would need a sequence number, and be rewritten to lose it again. Where RocksDB
   * gives them one all the same, it is durable as the files are: recovery never ends before it.
   */
  void ingest(Keyspace keyspace, List<String> files) throws RocksDBException {
    try (var ingestOptions =
        new IngestExternalFileOptions().setMoveFiles(true).setSnapshotConsistency(false)) {
      db.ingestExternalFile(handle(keyspace), files, ingestOptions);
    }
  }

  /**
   * Removes all keys in a range and frees the files that hold nothing else, once no snapshot needs
   * them. Durable when it returns, as is every change submitted before, such as the catalog change
   * that makes the range unreachable. Nobody may write to the range any more.
   */
  public void dropRange(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    call("drop a range", () -> rangeDropper.drop(handle(keyspace), lowerInclusive, upperExclusive));
  }

  /** Rewrites a range (null bounds are open) so that space of removed entries is freed. */
  public void compact(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    call("compact", () -> maintenance.compact(handle(keyspace), lowerInclusive, upperExclusive));
  }

  /** About how many bytes a range (null bounds are open) takes, in files and in memory. */
  public long approximateBytes(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    return read(
        "measure a range",
        () -> maintenance.approximateBytes(handle(keyspace), lowerInclusive, upperExclusive));
  }

  /** The bytes of all files in the data directory. */
  public long diskBytes() {
    return read("measure the data directory", maintenance::diskBytes);
  }

  /** Figures about caches, memtables and files, by name. */
  public Map<String, Long> properties() {
    return read(
        "read figures",
        () -> maintenance.properties(store.rocksOptions().cache(), store.handles()));
  }

  /**
   * Makes a consistent copy of the store in a new directory, which can be opened like any data
   * directory. Files are hard-linked where the target is on the same file system.
   */
  public void checkpoint(Path target) {
    call("make a checkpoint", () -> maintenance.checkpoint(target));
  }

  /** Writes all memtables to files. */
  public void flush() {
    call("flush", this::flushMemtables);
  }

  /**
   * Waits for calls under way, frees open cursors and snapshots, and closes the store. Closing
   * twice is harmless.
   */
  @Override
  public synchronized void close() {
    if (guard.isClosed()) {
      return;
    }
    guard.shut();
    maintenance.cancelCompactions();
    guard.drain();
    resources.forEach(NativeResource::free);
    resources.clear();
    try {
      db.syncWal();
      // Not needed, but the next start then has nothing to replay.
      flushMemtables();
    } catch (RocksDBException e) {
      throw RocksErrors.translate("write everything out before closing", e);
    } finally {
      free();
    }
  }

  private void free() {
    // Before the database releases its lock, so that the next owner's id is not overwritten.
    store.directory().clearOwner();
    latest.close();
    writeOptions.close();
    store.close();
  }

  private void flushMemtables() throws RocksDBException {
    try (FlushOptions flushOptions = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flushOptions, store.handles());
    }
  }

  byte[] get(ReadOptions readOptions, Keyspace keyspace, byte[] key) {
    guard.enter();
    try {
      return db.get(handle(keyspace), readOptions, key);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("read", e);
    } finally {
      guard.exit();
    }
  }

  int get(
      ReadOptions readOptions,
      Keyspace keyspace,
      byte[] key,
      int keyLength,
      byte[] dest,
      int destOffset) {
    guard.enter();
    try {
      return db.get(
          handle(keyspace),
          readOptions,
          key,
          0,
          keyLength,
          dest,
          destOffset,
          dest.length - destOffset);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("read", e);
    } finally {
      guard.exit();
    }
  }

  List<byte[]> multiGet(ReadOptions readOptions, Keyspace keyspace, List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    List<ColumnFamilyHandle> families = Collections.nCopies(keys.size(), handle(keyspace));
    return read("read", () -> db.multiGetAsList(readOptions, families, keys));
  }

  long counter(ReadOptions readOptions, Keyspace keyspace, byte[] key) {
    byte[] value = new byte[Long.BYTES];
    int length = get(readOptions, keyspace, key, key.length, value, 0);
    if (length < 0) {
      return 0;
    }
    if (length != Long.BYTES) {
      throw new IllegalArgumentException("not a counter: its value has " + length + " bytes");
    }
    return (long) BatchFormat.LONG_LE.get(value, 0);
  }

  KeyValueCursor cursor(ReadOptions base, KeyRange range, ScanHint hint) {
    guard.enter();
    try {
      ReadOptions readOptions = new ReadOptions(base);
      if (hint == ScanHint.BULK) {
        readOptions.setFillCache(false).setReadaheadSize(BULK_READAHEAD_BYTES);
      }
      RocksCursor cursor = new RocksCursor(this, guard, range, readOptions);
      resources.add(cursor);
      return cursor;
    } finally {
      guard.exit();
    }
  }

  RocksIterator newIterator(Keyspace keyspace, ReadOptions readOptions) {
    return db.newIterator(handle(keyspace), readOptions);
  }

  /** Applies a serialized write batch and writes it to the log, without fsync. */
  void write(byte[] batch) {
    guard.enter();
    try (WriteBatch nativeBatch = new WriteBatch(batch)) {
      db.write(writeOptions, nativeBatch);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("write", e);
    } finally {
      guard.exit();
    }
  }

  /** Syncs the log, as far as it is written; one thread at a time. */
  void syncLog() {
    call(
        "sync the log",
        () -> {
          long written = db.getLatestSequenceNumber();
          db.syncWal();
          store.syncMark().advance(written);
        });
  }

  /** Frees a resource unless the engine has done so already. */
  void release(NativeResource resource) {
    if (guard.tryEnter()) {
      try {
        if (resources.remove(resource)) {
          resource.free();
        }
      } finally {
        guard.exit();
      }
    }
  }

  void releaseSnapshot(org.rocksdb.Snapshot snapshot) {
    db.releaseSnapshot(snapshot);
    snapshot.close();
    if (rangeDropper.anyWaiting() && !guard.isClosed()) {
      try {
        rangeDropper.dropWaiting();
      } catch (RocksDBException e) {
        // Not the fault of whoever closes a snapshot, and nothing is lost but time: compaction
        // frees
        // the space later. If the store has failed, the next write says so.
      }
    }
  }

  private ColumnFamilyHandle handle(Keyspace keyspace) {
    return handles[keyspace.ordinal()];
  }

  interface RocksCall {
    void run() throws RocksDBException;
  }

  private interface RocksRead<T> {
    T run() throws RocksDBException;
  }

  /** Runs something native under the guard. */
  void call(String action, RocksCall body) {
    read(
        action,
        () -> {
          body.run();
          return null;
        });
  }

  private <T> T read(String action, RocksRead<T> body) {
    guard.enter();
    try {
      return body.run();
    } catch (RocksDBException e) {
      // Closing cuts long operations short; they fail with whatever RocksDB makes of it.
      throw guard.isClosed()
          ? StorageException.closed("The storage engine")
          : RocksErrors.translate(action, e);
    } finally {
      guard.exit();
    }
  }
}
