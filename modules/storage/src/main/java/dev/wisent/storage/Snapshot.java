package dev.wisent.storage;

import java.util.List;
import org.rocksdb.ReadOptions;

/**
 * A fixed state of the store. Costs nothing to hold except that old versions are kept meanwhile.
 */
public final class Snapshot extends NativeResource implements ReadView, AutoCloseable {
  private final StorageEngine engine;
  private final org.rocksdb.Snapshot snapshot;
  private final ReadOptions readOptions;
  private final long sequence;
  private volatile boolean closed;

  Snapshot(StorageEngine engine, org.rocksdb.Snapshot snapshot) {
    this.engine = engine;
    this.snapshot = snapshot;
    this.sequence = snapshot.getSequenceNumber();
    this.readOptions = new ReadOptions().setSnapshot(snapshot);
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public byte[] get(Keyspace keyspace, byte[] key) {
    return engine.get(readOptions(), keyspace, key);
  }

  @Override
  public int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset) {
    return engine.get(readOptions(), keyspace, key, keyLength, dest, destOffset);
  }

  @Override
  public List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys) {
    return engine.multiGet(readOptions(), keyspace, keys);
  }

  @Override
  public long counter(Keyspace keyspace, byte[] key) {
    return engine.counter(readOptions(), keyspace, key);
  }

  @Override
  public KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint) {
    return engine.cursor(
        readOptions(), new KeyRange(keyspace, lowerInclusive, upperExclusive, reverse), hint);
  }

  /** Closing twice, or after the engine, is harmless. */
  @Override
  public void close() {
    engine.release(this);
  }

  @Override
  void free() {
    closed = true;
    readOptions.close();
    engine.releaseSnapshot(snapshot);
  }

  private ReadOptions readOptions() {
    if (closed) {
      throw StorageException.closed("The snapshot");
    }
    return readOptions;
  }
}
