package dev.wisent.storage;

import java.util.Arrays;
import java.util.List;

/**
 * Goes on with the changes of a mutation, without its oplog entries, in an array of the size that
 * all changes have in the end, to the byte: so they are copied once. Values are written in place.
 * For one thread, and for one mutation.
 */
public final class SizedMutationBuilder {
  /** The tag and the family of a change. */
  private static final int CHANGE_BYTES = 2;

  private final byte[] batch;
  private int end;
  private int count;

  /**
   * @param sizeBytes of the mutation that is built
   */
  public SizedMutationBuilder(Mutation begun, int sizeBytes) {
    batch = Arrays.copyOf(begun.batch(), sizeBytes);
    end = begun.sizeBytes();
    count = begun.changeCount();
  }

  /** How many bytes a put adds to a mutation. */
  public static int putBytes(int keyLength, int valueLength) {
    return CHANGE_BYTES
        + BatchFormat.varintBytes(keyLength)
        + keyLength
        + BatchFormat.varintBytes(valueLength)
        + valueLength;
  }

  /** How many bytes an addition to a counter adds to a mutation. */
  public static int addBytes(int keyLength) {
    return putBytes(keyLength, Long.BYTES);
  }

  /** The array that values are written to. */
  public byte[] bytes() {
    return batch;
  }

  /**
   * Sets a key to a value, which the caller writes to {@link #bytes}.
   *
   * @return where the value begins
   */
  public int put(Keyspace keyspace, byte[] key, int valueLength) {
    begin(BatchFormat.TAG_PUT, keyspace, key);
    end = BatchFormat.writeVarint(batch, end, valueLength);
    int start = end;
    end += valueLength;
    return start;
  }

  /** Adds to a counter, as {@link MutationBuilder#add} does. */
  public void add(Keyspace keyspace, byte[] key, long delta) {
    begin(BatchFormat.TAG_MERGE, keyspace, key);
    end = BatchFormat.writeVarint(batch, end, Long.BYTES);
    BatchFormat.LONG_LE.set(batch, end, delta);
    end += Long.BYTES;
  }

  private void begin(byte tag, Keyspace keyspace, byte[] key) {
    batch[end++] = tag;
    end = BatchFormat.writeVarint(batch, end, keyspace.id());
    end = BatchFormat.writeVarint(batch, end, key.length);
    System.arraycopy(key, 0, batch, end, key.length);
    end += key.length;
    count++;
  }

  /** The mutation, whose array is that of this builder. */
  public Mutation build() {
    if (end != batch.length) {
      throw new IllegalStateException(end + " bytes of changes, not " + batch.length);
    }
    BatchFormat.INT_LE.set(batch, BatchFormat.COUNT_OFFSET, count);
    return new Mutation(batch, count, List.of(), List.of(), false);
  }
}
