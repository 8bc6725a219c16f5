package dev.wisent.storage;

/**
 * The changes of a mutation, one after the other. Keys and values are parts of the batch, not
 * copied. For one thread.
 */
public final class BatchReader {
  private final byte[] batch;
  private int position = BatchFormat.HEADER_BYTES;
  private byte tag;
  private Keyspace keyspace;
  private int keyOffset;
  private int keyLength;
  private int valueOffset;
  private int valueLength;

  /** What a change does. */
  public enum Kind {
    PUT,
    DELETE,
    /** Adds to a counter. */
    ADD,
    DELETE_RANGE
  }

  public BatchReader(Mutation mutation) {
    this.batch = mutation.batch();
  }

  /** Moves to the next change. */
  public boolean next() {
    if (position >= batch.length) {
      return false;
    }
    tag = batch[position++];
    keyspace = Keyspace.values()[batch[position++] - 1];
    keyLength = readVarint();
    keyOffset = position;
    position += keyLength;
    valueOffset = position;
    valueLength = 0;
    if (tag != BatchFormat.TAG_DELETE) {
      valueLength = readVarint();
      valueOffset = position;
      position += valueLength;
    }
    return true;
  }

  private int readVarint() {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = batch[position++];
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  public Kind kind() {
    return switch (tag) {
      case BatchFormat.TAG_PUT -> Kind.PUT;
      case BatchFormat.TAG_DELETE -> Kind.DELETE;
      case BatchFormat.TAG_MERGE -> Kind.ADD;
      default -> Kind.DELETE_RANGE;
    };
  }

  public Keyspace keyspace() {
    return keyspace;
  }

  /** The array that key and value are in. */
  public byte[] bytes() {
    return batch;
  }

  public int keyOffset() {
    return keyOffset;
  }

  public int keyLength() {
    return keyLength;
  }

  /** The value of a put, or the end of a range. */
  public int valueOffset() {
    return valueOffset;
  }

  public int valueLength() {
    return valueLength;
  }

  /** What is added to a counter. */
  public long delta() {
    return (long) BatchFormat.LONG_LE.get(batch, valueOffset);
  }
}
