package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What a {@link StorageEngine} holds until it gets other contents: an open RocksDB database with
 * everything that reads or changes it. Safe for use by many threads. After {@link #close()} or
 * {@link #abandon()} everything throws, also calls on snapshots and cursors that were open.
 */
final class StoreContents implements ReadView, AutoCloseable {
  private final OpenStore store;
  private final LargeValues largeValues;
  private final RocksDB db;
  private final ColumnFamilyHandle[] handles;
  private final ReadOptions latest = new ReadOptions();
  private final WriteOptions writeOptions = new WriteOptions();

  /** For what a replicated log keeps, or what can be done again. */
  private final WriteOptions unlogged = new WriteOptions();

  private final long cacheBytes;
  private final UseGuard guard = new UseGuard("The storage engine");
  private final StoppedWrites stopped = new StoppedWrites(guard);
  private final Set<NativeResource> resources = ConcurrentHashMap.newKeySet();
  private final RangeDropper rangeDropper;
  private final Maintenance maintenance;
  private final FullDisk fullDisk;
  private final NativeCalls calls;

  StoreContents(StorageOptions options, OpenStore store, LargeValues largeValues) {
    this.store = store;
    this.largeValues = largeValues;
    this.db = store.db();
    this.handles =
        store.handles().subList(1, store.handles().size()).toArray(ColumnFamilyHandle[]::new);
    this.cacheBytes = options.cacheBytes();
    this.unlogged.setDisableWAL(options.replicatedLog());
    this.rangeDropper = new RangeDropper(db, unlogged, stopped, options.replicatedLog());
    this.maintenance = new Maintenance(db, store.directory());
    this.fullDisk = new FullDisk(db, store.directory(), options.replicatedLog());
    this.calls = new NativeCalls(guard, fullDisk);
  }

  @Override
  public void admit(int valueBytes) {
    largeValues.admit(valueBytes);
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
  public long cacheSequence() {
    return NEWEST;
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

  Snapshot snapshot(boolean cached) {
    return open(() -> new Snapshot(this, db.getSnapshot(), cached));
  }

  /** Has something made while the store is open, to be freed with the store at the latest. */
  <R extends NativeResource> R open(Supplier<R> making) {
    guard.enter();
    try {
      R resource = making.get();
      resources.add(resource);
      return resource;
    } finally {
      guard.exit();
    }
  }

  SstIngest newIngest(Keyspace keyspace) {
    return open(
        () -> {
          var tableOptions =
              new Options(store.rocksOptions().database(), store.rocksOptions().family(keyspace));
          return new SstIngest(this, keyspace, store.temporaryFiles(), tableOptions);
        });
  }

  /**
   * Takes files into the store. Older snapshots see them too, in which no reader looks for them:
   * hidden from those they would need a sequence number, and be rewritten to lose it again. Where
   * RocksDB gives them one all the same, it is durable as the files are: recovery never ends before
   * it.
   */
  void ingest(Keyspace keyspace, List<String> files) throws RocksDBException {
    try (var ingestOptions =
        new IngestExternalFileOptions().setMoveFiles(true).setSnapshotConsistency(false)) {
      db.ingestExternalFile(handle(keyspace), files, ingestOptions);
    }
  }

  void dropRange(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    calls.change(
        "drop a range", () -> rangeDropper.drop(handle(keyspace), lowerInclusive, upperExclusive));
  }

  void compact(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    calls.call(
        "compact", () -> maintenance.compact(handle(keyspace), lowerInclusive, upperExclusive));
  }

  long approximateBytes(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    return calls.read(
        "measure a range",
        () -> maintenance.approximateBytes(handle(keyspace), lowerInclusive, upperExclusive));
  }

  long diskBytes() {
    return calls.read("measure the data directory", maintenance::diskBytes);
  }

  Map<String, Long> properties() {
    return calls.read(
        "read figures",
        () -> maintenance.properties(store.rocksOptions().cache(), store.handles()));
  }

  void checkpoint(Path target) {
    calls.call("make a checkpoint", () -> maintenance.checkpoint(target));
  }

  void standStill() {
    calls.call(
        "stop work on files",
        () -> {
          maintenance.flush(store.handles());
          db.pauseBackgroundWork();
        });
  }

  void goOn() {
    calls.call("go on with work on files", db::continueBackgroundWork);
  }

  void flush() {
    calls.change(
        "flush",
        () -> {
          long covered = db.getLatestSequenceNumber();
          maintenance.flush(store.handles());
          rangeDropper.flushed(covered);
          store.syncMarks();
        });
  }

  /**
   * Waits for calls under way, frees open cursors and snapshots, writes everything out and closes
   * the database. Closing twice is harmless.
   */
  @Override
  public synchronized void close() {
    if (!shut(Kind.CLOSED)) {
      return;
    }
    try {
      if (!store.isReadOnly()) {
        db.syncWal();
        // Not needed, but the next start then has nothing to replay.
        maintenance.flush(store.handles());
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translate("write everything out before closing", e);
    } finally {
      free();
    }
  }

  /** As {@link #close()}, but leaves the files as they are: there will be others. */
  synchronized void abandon() {
    if (shut(Kind.REPLACED)) {
      free();
    }
  }

  private boolean shut(Kind why) {
    if (guard.isClosed()) {
      return false;
    }
    guard.shut(why);
    maintenance.cancelCompactions();
    guard.drain();
    resources.forEach(NativeResource::free);
    resources.clear();
    return true;
  }

  private void free() {
    store.disown();
    latest.close();
    writeOptions.close();
    unlogged.close();
    store.close();
  }

  byte[] get(ReadOptions readOptions, Keyspace keyspace, byte[] key) {
    return calls.read("read", () -> db.get(handle(keyspace), readOptions, key));
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
    return calls.read("read", () -> db.multiGetAsList(readOptions, families, keys));
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
    return open(
        () -> {
          ReadOptions readOptions = new ReadOptions(base);
          hint.prepare(readOptions, cacheBytes);
          return new RocksCursor(this, guard, range, readOptions);
        });
  }

  RocksIterator newIterator(Keyspace keyspace, ReadOptions readOptions) {
    return db.newIterator(handle(keyspace), readOptions);
  }

  /** Applies a serialized write batch and writes it to the log, without fsync. */
  void write(byte[] batch) {
    write(writeOptions, batch);
  }

  /** Applies a serialized write batch that another log keeps up to an index. */
  void writeUnlogged(byte[] batch, long index) {
    calls.call("note how far the log is applied", () -> store.noteApplied(index));
    write(unlogged, batch);
  }

  /** Notes the position of another log than before. */
  void enterLog(LogPosition position) {
    calls.call("note where the log begins", () -> store.enterLog(position.index()));
    write(unlogged, AppliedPosition.noted(List.of(), position));
  }

  /** The index of the log up to which readers may have seen changes; -1 if it is not known. */
  long markedIndex() {
    return calls.read("read how far the log was applied", store::markedIndex);
  }

  private void write(WriteOptions how, byte[] batch) {
    guard.enter();
    try (WriteBatch nativeBatch = new WriteBatch(batch)) {
      stopped.write(() -> db.write(how, nativeBatch));
    } catch (RocksDBException e) {
      throw fullDisk.note(RocksErrors.translate("write", e));
    } finally {
      guard.exit();
    }
  }

  /** Why nothing can be written until the store is opened again; null if it can. */
  StorageException failure() {
    return fullDisk.failure();
  }

  boolean hasRoom() {
    return fullDisk.hasRoom();
  }

  /** Syncs the log, as far as it is written; one thread at a time. */
  void syncLog() {
    calls.change("sync the log", store::syncLog);
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

  /** Throws if these are not the contents any more. */
  void checkOpen() {
    guard.enter();
    guard.exit();
  }

  void releaseSnapshot(org.rocksdb.Snapshot snapshot) {
    db.releaseSnapshot(snapshot);
    snapshot.close();
    if (rangeDropper.anyWaiting() && !guard.isClosed()) {
      try {
        rangeDropper.dropWaiting();
      } catch (RocksDBException e) {
        // Not the fault of the caller that closes a snapshot, and nothing is lost but time:
        // compaction
        // frees the space later. If the store has failed, the next write says so.
      }
    }
  }

  private ColumnFamilyHandle handle(Keyspace keyspace) {
    return handles[keyspace.ordinal()];
  }

  NativeCalls calls() {
    return calls;
  }
}
