package dev.wisent.storage;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store of one node: ordered keyspaces of byte keys and values in one RocksDB database.
 *
 * <p>Reading the engine itself reads the newest state; {@link #snapshot()} fixes one. Changes go
 * through a {@link CommitLog}. Safe for use by many threads. After {@link #close()} everything
 * throws {@link Kind#CLOSED}, also calls on snapshots and cursors that were open.
 *
 * <p>Under a replicated log the changes come by {@link #apply}, which notes how far the log is
 * applied. They are not logged a second time: after a crash the store is at the position of its
 * last flush, and the log goes on from there.
 */
public final class StorageEngine implements ReadView, AutoCloseable {
  private final StorageOptions options;
  private final DataDirectory directory;
  private final TemporaryFiles temporaryFiles;
  private final Optional<CrashRecovery> recovery;
  private final boolean readOnly;
  private final LargeValues largeValues = new LargeValues();
  private volatile StoreContents contents;

  /** Guarded by this. */
  private boolean closed;

  private StorageEngine(StorageOptions options, OpenStore store) {
    this.options = options;
    this.directory = store.directory();
    this.temporaryFiles = store.temporaryFiles();
    this.recovery = store.recovery();
    this.readOnly = store.isReadOnly();
    this.contents = new StoreContents(options, store, largeValues);
  }

  /** Opens a data directory, creating it when absent and recovering it after a crash. */
  public static StorageEngine open(StorageOptions options) {
    StorageEngine engine = new StorageEngine(options, OpenStore.open(options));
    if (options.replicatedLog()) {
      // What a log of the store's own brought back has to outlive that log.
      engine.flush();
    }
    return engine;
  }

  /**
   * Opens a data directory to read it: no file in it is changed, not even by a recovery. It has
   * what the store's own log has; under a replicated log, what was flushed. Changes throw. While it
   * is open the directory cannot be opened otherwise, and the other way round.
   */
  public static StorageEngine openReadOnly(StorageOptions options) {
    return new StorageEngine(options, OpenStore.openReadOnly(options));
  }

  /** Whether it was opened by {@link #openReadOnly}. */
  public boolean isReadOnly() {
    return readOnly;
  }

  /** Whether there is a store to be opened. */
  public static boolean isIn(Path dbPath) {
    return Files.exists(dbPath.resolve(DataDirectory.FORMAT_FILE));
  }

  public StorageOptions options() {
    return options;
  }

  /** What opening brought back after a crash; empty when the store had been closed. */
  public Optional<CrashRecovery> recovery() {
    return recovery;
  }

  /** Where to put what does not fit into memory. */
  public TemporaryFiles temporaryFiles() {
    return temporaryFiles;
  }

  /** What is asked before a large value is read. */
  public LargeValues largeValues() {
    return largeValues;
  }

  @Override
  public void admit(int valueBytes) {
    largeValues.admit(valueBytes);
  }

  @Override
  public long sequence() {
    return contents.sequence();
  }

  @Override
  public long cacheSequence() {
    return NEWEST;
  }

  @Override
  public byte[] get(Keyspace keyspace, byte[] key) {
    return contents.get(keyspace, key);
  }

  @Override
  public int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset) {
    return contents.get(keyspace, key, keyLength, dest, destOffset);
  }

  @Override
  public List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys) {
    return contents.multiGet(keyspace, keys);
  }

  @Override
  public long counter(Keyspace keyspace, byte[] key) {
    return contents.counter(keyspace, key);
  }

  @Override
  public KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint) {
    return contents.cursor(keyspace, lowerInclusive, upperExclusive, reverse, hint);
  }

  /** Fixes the current state for reading. */
  public Snapshot snapshot() {
    return contents.snapshot(true);
  }

  /** The same for a read of much that is read once: blocks and records read are not kept. */
  public Snapshot uncachedSnapshot() {
    return contents.snapshot(false);
  }

  /** Begins to bring in many entries at once, of idents that no reader can see. */
  public SstIngest newIngest(Keyspace keyspace) {
    return contents.newIngest(keyspace);
  }

  /**
   * Removes all keys in a range and frees the files that hold nothing else, once no snapshot needs
   * them. Durable when it returns, as is every change submitted before, such as the catalog change
   * that makes the range unreachable; under a replicated log a crash takes it back together with
   * that change, and has to be done again with it. Nothing may write to the range any more.
   */
  public void dropRange(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    contents.dropRange(keyspace, lowerInclusive, upperExclusive);
  }

  /** Rewrites a range (null bounds are open) so that space of removed entries is freed. */
  public void compact(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    contents.compact(keyspace, lowerInclusive, upperExclusive);
  }

  /** About how many bytes a range (null bounds are open) takes, in files and in memory. */
  public long approximateBytes(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    return contents.approximateBytes(keyspace, lowerInclusive, upperExclusive);
  }

  /** The bytes of all files in the data directory. */
  public long diskBytes() {
    return contents.diskBytes();
  }

  /** Figures about caches, memtables and files, by name. */
  public Map<String, Long> properties() {
    return contents.properties();
  }

  /**
   * Makes a consistent copy of the store in a new directory, which can be opened like any data
   * directory. Files are hard-linked where the target is on the same file system.
   */
  public void checkpoint(Path target) {
    contents.checkpoint(target);
  }

  /** Writes all memtables to files. A store that is only read has all there. */
  public void flush() {
    if (!readOnly) {
      contents.flush();
    }
  }

  /** Leaves all files as they are until {@link #goOn}. The caller keeps writes away meanwhile. */
  public void standStill() {
    if (!readOnly) {
      contents.standStill();
    }
  }

  /** Ends {@link #standStill}. */
  public void goOn() {
    if (!readOnly) {
      contents.goOn();
    }
  }

  /**
   * Applies batches of mutations and notes the position that the replicated log has with them, all
   * or nothing. One thread at a time.
   */
  public void apply(List<byte[]> batches, LogPosition position) {
    contents.writeUnlogged(AppliedPosition.noted(batches, position), position.index());
  }

  /**
   * Notes that the store is at a position of a replicated log that is another one than before, and
   * that readers have seen no more of it. On disk when it returns.
   */
  public void enterLog(LogPosition position) {
    contents.enterLog(position);
    contents.flush();
  }

  /**
   * Forgets how far a replicated log is applied, because changes come from elsewhere from now on.
   * On disk when it returns.
   */
  public void leaveLog() {
    contents.write(AppliedPosition.forgotten());
    contents.flush();
  }

  /** How far the replicated log is applied; {@link LogPosition#START} if there was none yet. */
  public LogPosition appliedPosition() {
    return AppliedPosition.read(contents);
  }

  /**
   * The index of the replicated log up to which readers of these contents may have seen changes,
   * also before a crash that took the store back to its last flush: then it is higher than that of
   * {@link #appliedPosition()}, and the log has to be applied again up to it.
   */
  public long seenIndex() {
    return Math.max(contents.markedIndex(), appliedPosition().index());
  }

  /**
   * Takes over the contents of a checkpoint that another node has made, instead of what is here;
   * the directory is used up. Snapshots and cursors that are open end with {@link Kind#REPLACED},
   * as does what others call meanwhile. After a crash the old contents are there, or the new ones.
   */
  public synchronized void replaceContents(Path checkpoint) {
    if (closed) {
      throw StorageException.closed("The storage engine");
    }
    try (ContentsSwitch change = ContentsSwitch.begin(directory, checkpoint)) {
      contents.abandon();
      try {
        change.toNew();
        contents = reopen();
      } catch (IOException | StorageException e) {
        change.toOld();
        contents = reopen();
        throw e;
      }
      change.removeOld();
    } catch (IOException e) {
      throw directory.failure("replace the contents of", e);
    }
  }

  /** Why the store takes no changes until it is opened again; empty if it does. */
  public Optional<StorageException> failure() {
    return Optional.ofNullable(contents.failure());
  }

  /** Whether there is space to open the store again, and to begin with. */
  public boolean hasRoom() {
    return contents.hasRoom();
  }

  /**
   * Opens the store again after a failure, as after a crash: it has what its own log has, or under
   * a replicated log what was flushed. Snapshots and cursors that are open end with {@link
   * Kind#REPLACED}. If this fails, nothing can be read until a later call succeeds.
   */
  public synchronized void reopenAfterFailure() {
    if (closed) {
      throw StorageException.closed("The storage engine");
    }
    contents.abandon();
    contents = reopen();
  }

  private StoreContents reopen() {
    return new StoreContents(
        options, OpenStore.open(options, directory, temporaryFiles), largeValues);
  }

  /** Applies a serialized write batch and writes it to the store's own log, without fsync. */
  void write(byte[] batch) {
    contents.write(batch);
  }

  /** Syncs the store's own log, as far as it is written; one thread at a time. */
  void syncLog() {
    contents.syncLog();
  }

  /**
   * Waits for calls under way, frees open cursors and snapshots, and closes the store. Closing
   * twice is harmless.
   */
  @Override
  public synchronized void close() {
    closed = true;
    contents.close();
  }
}
