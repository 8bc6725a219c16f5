package dev.wisent.storage;

import java.util.List;
import org.rocksdb.ReadOptions;

/**
 * A fixed state of the store. Costs nothing to hold except that old versions are kept meanwhile.
 */
public final class Snapshot extends NativeResource implements FixedView {
  private final StoreContents contents;
  private final Native shared;
  private final ReadOptions readOptions;
  private final long sequence;
  private final boolean cached;
  private volatile boolean closed;

  /** RocksDB's snapshot, released with its last holder. */
  private static final class Native {
    private final org.rocksdb.Snapshot snapshot;
    private int holders = 1; // guarded by this

    Native(org.rocksdb.Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    /** False if it is released. */
    synchronized boolean hold() {
      if (holders > 0) {
        holders++;
      }
      return holders > 0;
    }

    /** Whether that was the last one. */
    synchronized boolean letGo() {
      return --holders == 0;
    }
  }

  /**
   * @param cached whether what is read is kept in caches
   */
  Snapshot(StoreContents contents, org.rocksdb.Snapshot snapshot, boolean cached) {
    this(contents, new Native(snapshot), cached);
  }

  private Snapshot(StoreContents contents, Native shared, boolean cached) {
    this.contents = contents;
    this.shared = shared;
    this.sequence = shared.snapshot.getSequenceNumber();
    this.cached = cached;
    this.readOptions = new ReadOptions().setSnapshot(shared.snapshot).setFillCache(cached);
  }

  @Override
  public Snapshot share() {
    return contents.open(
        () -> {
          if (!shared.hold()) {
            throw StorageException.closed("The snapshot");
          }
          return new Snapshot(contents, shared, cached);
        });
  }

  @Override
  public void admit(int valueBytes) {
    contents.admit(valueBytes);
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long cacheSequence() {
    return cached ? sequence : NOT_CACHED;
  }

  @Override
  public byte[] get(Keyspace keyspace, byte[] key) {
    return contents.get(readOptions(), keyspace, key);
  }

  @Override
  public int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset) {
    return contents.get(readOptions(), keyspace, key, keyLength, dest, destOffset);
  }

  @Override
  public List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys) {
    return contents.multiGet(readOptions(), keyspace, keys);
  }

  @Override
  public long counter(Keyspace keyspace, byte[] key) {
    return contents.counter(readOptions(), keyspace, key);
  }

  @Override
  public KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint) {
    return contents.cursor(
        readOptions(), new KeyRange(keyspace, lowerInclusive, upperExclusive, reverse), hint);
  }

  @Override
  public void close() {
    contents.release(this);
  }

  @Override
  void free() {
    closed = true;
    readOptions.close();
    if (shared.letGo()) {
      contents.releaseSnapshot(shared.snapshot);
    }
  }

  private ReadOptions readOptions() {
    if (closed) {
      contents.checkOpen();
      throw StorageException.closed("The snapshot");
    }
    return readOptions;
  }
}
