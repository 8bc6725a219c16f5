package dev.wisent.storage;

import java.util.List;
import org.rocksdb.ReadOptions;

/**
 * A fixed state of the store. Costs nothing to hold except that old versions are kept meanwhile.
 */
public final class Snapshot extends NativeResource implements ReadView, AutoCloseable {
  private final StoreContents contents;
  private final org.rocksdb.Snapshot snapshot;
  private final ReadOptions readOptions;
  private final long sequence;
  private volatile boolean closed;

  Snapshot(StoreContents contents, org.rocksdb.Snapshot snapshot) {
    this.contents = contents;
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

  /** Closing twice, or after the engine, is harmless. */
  @Override
  public void close() {
    contents.release(this);
  }

  @Override
  void free() {
    closed = true;
    readOptions.close();
    contents.releaseSnapshot(snapshot);
  }

  private ReadOptions readOptions() {
    if (closed) {
      contents.checkOpen();
      throw StorageException.closed("The snapshot");
    }
    return readOptions;
  }
}
