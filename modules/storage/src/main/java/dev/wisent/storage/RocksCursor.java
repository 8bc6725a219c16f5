package dev.wisent.storage;

import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A cursor on a RocksDB iterator; both bounds are enforced natively. */
final class RocksCursor extends NativeResource implements KeyValueCursor {
  private enum State {
    BEFORE_FIRST,
    ON_ENTRY,
    AT_END
  }

  private static final int INITIAL_KEY_BYTES = 64;
  private static final int INITIAL_VALUE_BYTES = 1024;
  private static final int NOT_LOADED = -1;

  /** An array for longer values is only as long as the value. */
  private static final int GROWN_VALUE_BYTES_MAX = 64 * 1024;

  private final StoreContents contents;
  private final UseGuard guard;
  private final boolean reverse;
  private final ReadOptions readOptions;
  private final Slice lower;
  private final Slice upper;
  private final RocksIterator iterator;

  private State state = State.BEFORE_FIRST;
  private byte[] key = new byte[INITIAL_KEY_BYTES];
  private int keyLength = NOT_LOADED;
  private byte[] value = new byte[INITIAL_VALUE_BYTES];
  private int valueLength = NOT_LOADED;

  /** Whether the entry that the iterator is at was read into a batch. */
  private boolean inBatch;

  private volatile boolean closed;

  /** Takes over {@code readOptions}. Called with the guard entered. */
  RocksCursor(StoreContents contents, UseGuard guard, KeyRange range, ReadOptions readOptions) {
    this.contents = contents;
    this.guard = guard;
    this.reverse = range.reverse();
    this.readOptions = readOptions;
    // The iterator keeps pointers to the bounds, so they live as long as it does.
    lower = range.lowerInclusive() == null ? null : new Slice(range.lowerInclusive());
    upper = range.upperExclusive() == null ? null : new Slice(range.upperExclusive());
    if (lower != null) {
      readOptions.setIterateLowerBound(lower);
    }
    if (upper != null) {
      readOptions.setIterateUpperBound(upper);
    }
    iterator = contents.newIterator(range.keyspace(), readOptions);
  }

  @Override
  public boolean next() {
    enter();
    try {
      return move();
    } finally {
      guard.exit();
    }
  }

  @Override
  public boolean read(EntryBatch batch) {
    batch.restart();
    enter();
    try {
      boolean there = (state == State.ON_ENTRY && !inBatch) || move();
      while (there && batch.add(iterator, contents)) {
        inBatch = true;
        there = !batch.isFull() && move();
      }
      return batch.count() > 0;
    } finally {
      guard.exit();
    }
  }

  private boolean move() {
    switch (state) {
      case BEFORE_FIRST -> toFirst();
      case ON_ENTRY -> step();
      case AT_END -> {
        return false;
      }
    }
    return settle();
  }

  @Override
  public boolean seek(byte[] target, int targetLength) {
    byte[] exact = targetLength == target.length ? target : Arrays.copyOf(target, targetLength);
    enter();
    try {
      if (reverse) {
        iterator.seekForPrev(exact);
      } else {
        iterator.seek(exact);
      }
      return settle();
    } finally {
      guard.exit();
    }
  }

  @Override
  public byte[] key() {
    loadKey();
    return key;
  }

  @Override
  public int keyLength() {
    loadKey();
    return keyLength;
  }

  @Override
  public byte[] value() {
    loadValue();
    return value;
  }

  @Override
  public int valueLength() {
    loadValue();
    return valueLength;
  }

  @Override
  public byte[] copyKey() {
    loadKey();
    return Arrays.copyOf(key, keyLength);
  }

  @Override
  public byte[] copyValue() {
    loadValue();
    return Arrays.copyOf(value, valueLength);
  }

  @Override
  public int readValue(byte[] dest, int destOffset) {
    enterOnEntry();
    try {
      return iterator.value(dest, destOffset, dest.length - destOffset);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void close() {
    contents.release(this);
  }

  @Override
  void free() {
    closed = true;
    iterator.close();
    readOptions.close();
    if (lower != null) {
      lower.close();
    }
    if (upper != null) {
      upper.close();
    }
  }

  private void toFirst() {
    if (reverse) {
      iterator.seekToLast();
    } else {
      iterator.seekToFirst();
    }
  }

  private void step() {
    if (reverse) {
      iterator.prev();
    } else {
      iterator.next();
    }
  }

  private boolean settle() {
    keyLength = NOT_LOADED;
    valueLength = NOT_LOADED;
    inBatch = false;
    if (iterator.isValid()) {
      state = State.ON_ENTRY;
      return true;
    }
    state = State.AT_END;
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw RocksErrors.translate("read", e);
    }
    return false;
  }

  private void loadKey() {
    if (keyLength == NOT_LOADED) {
      enterOnEntry();
      try {
        int length = iterator.key(key);
        if (length > key.length) {
          key = new byte[Math.max(length, 2 * key.length)];
          iterator.key(key);
        }
        keyLength = length;
      } finally {
        guard.exit();
      }
    }
  }

  private void loadValue() {
    if (valueLength == NOT_LOADED) {
      enterOnEntry();
      try {
        int length = iterator.value(value);
        if (length > value.length) {
          contents.admit(length);
          value = new byte[Math.max(length, Math.min(2 * value.length, GROWN_VALUE_BYTES_MAX))];
          iterator.value(value);
        }
        valueLength = length;
      } finally {
        guard.exit();
      }
    }
  }

  private void enterOnEntry() {
    enter();
    if (state != State.ON_ENTRY) {
      guard.exit();
      throw new IllegalStateException("the cursor is not on an entry");
    }
  }

  private void enter() {
    guard.enter();
    if (closed) {
      guard.exit();
      throw StorageException.closed("The cursor");
    }
  }
}
