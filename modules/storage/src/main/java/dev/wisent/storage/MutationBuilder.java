package dev.wisent.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects key-value changes as the bytes of a RocksDB write batch, so that any number of changes
 * crosses into native code in one call, a document is copied once from where it was received, and
 * the same bytes can be replicated.
 *
 * <p>For one thread; reusable after {@link #reset()}.
 */
public final class MutationBuilder {
  /** A tag, a one-byte family id and two lengths of at most 5 bytes. */
  private static final int CHANGE_OVERHEAD_BYTES_MAX = 12;

  /** After {@link #reset()} a larger buffer is not kept, so that one huge batch does not stay. */
  private static final int KEEP_BYTES_MAX = 4 << 20;

  private static final int INITIAL_BYTES = 4 << 10;

  private byte[] buffer;
  private int end = BatchFormat.HEADER_BYTES;
  private int count;
  private final List<byte[]> oplogEntries = new ArrayList<>(0);
  private final List<PreImage> preImages = new ArrayList<>(0);

  /** Of the oplog entries and the images. */
  private long oplogBytes;

  private boolean chained;

  public MutationBuilder() {
    this(INITIAL_BYTES);
  }

  public MutationBuilder(int initialBytes) {
    buffer = new byte[Math.max(initialBytes, BatchFormat.HEADER_BYTES)];
  }

  /** Sets a key to a value. */
  public MutationBuilder put(
      Keyspace keyspace,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength) {
    begin(BatchFormat.TAG_PUT, keyspace, (long) keyLength + valueLength);
    append(key, keyOffset, keyLength);
    append(value, valueOffset, valueLength);
    return this;
  }

  public MutationBuilder put(Keyspace keyspace, byte[] key, byte[] value) {
    return put(keyspace, key, 0, key.length, value, 0, value.length);
  }

  /** Removes a key, whether or not it exists. */
  public MutationBuilder delete(Keyspace keyspace, byte[] key, int keyOffset, int keyLength) {
    begin(BatchFormat.TAG_DELETE, keyspace, keyLength);
    append(key, keyOffset, keyLength);
    return this;
  }

  public MutationBuilder delete(Keyspace keyspace, byte[] key) {
    return delete(keyspace, key, 0, key.length);
  }

  /** Removes all keys in {@code [lowerInclusive, upperExclusive)}. */
  public MutationBuilder deleteRange(
      Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive) {
    begin(
        BatchFormat.TAG_DELETE_RANGE,
        keyspace,
        (long) lowerInclusive.length + upperExclusive.length);
    append(lowerInclusive, 0, lowerInclusive.length);
    append(upperExclusive, 0, upperExclusive.length);
    return this;
  }

  /**
   * Adds to a 64-bit counter, which starts at 0, without reading it. A counter key must only be
   * changed by this and {@link #delete}; read it with {@link ReadView#counter}.
   */
  public MutationBuilder add(Keyspace keyspace, byte[] key, long delta) {
    begin(BatchFormat.TAG_MERGE, keyspace, key.length + (long) Long.BYTES);
    append(key, 0, key.length);
    buffer[end++] = Long.BYTES;
    BatchFormat.LONG_LE.set(buffer, end, delta);
    end += Long.BYTES;
    return this;
  }

  /** Attaches a logical oplog entry. */
  public MutationBuilder oplogEntry(byte[] entry) {
    oplogEntries.add(entry);
    oplogBytes += entry.length;
    return this;
  }

  /**
   * Attaches a document as it was before a change, to the oplog entry that was attached last.
   *
   * @param ident of the collection that keeps images
   */
  public MutationBuilder preImage(int ident, byte[] document) {
    return preImage(new PreImage(ident, oplogEntries.size() - 1, 0, document));
  }

  /** Attaches an image; those of an entry come after those of earlier ones. */
  public MutationBuilder preImage(PreImage image) {
    preImages.add(image);
    oplogBytes += image.document().length;
    return this;
  }

  /** Has the log add to each oplog entry which one is before it. */
  public MutationBuilder chainOplogEntries() {
    chained = true;
    return this;
  }

  /** How much a builder held at some time. */
  public record Position(int count, int end, int oplogEntries, int preImages) {}

  /** A mark for {@link #truncate}. */
  public Position position() {
    return new Position(count, end, oplogEntries.size(), preImages.size());
  }

  /** Takes back everything since the mark was taken, oplog entries and images too. */
  public void truncate(Position position) {
    if (position.end() < BatchFormat.HEADER_BYTES
        || position.end() > end
        || position.count() > count
        || position.oplogEntries() > oplogEntries.size()
        || position.preImages() > preImages.size()) {
      throw new IllegalArgumentException("not a position of this builder: " + position);
    }
    end = position.end();
    count = position.count();
    while (oplogEntries.size() > position.oplogEntries()) {
      oplogBytes -= oplogEntries.removeLast().length;
    }
    while (preImages.size() > position.preImages()) {
      oplogBytes -= preImages.removeLast().document().length;
    }
  }

  public boolean isEmpty() {
    return count == 0 && oplogEntries.isEmpty();
  }

  /** The number of changes so far. */
  public int changeCount() {
    return count;
  }

  /** The size of the mutation so far, with its oplog entries and images. */
  public int sizeBytes() {
    return (int) Math.min(Integer.MAX_VALUE, end + oplogBytes);
  }

  /** Forgets everything, for reuse. */
  public void reset() {
    if (buffer.length > KEEP_BYTES_MAX) {
      buffer = new byte[INITIAL_BYTES];
    }
    end = BatchFormat.HEADER_BYTES;
    count = 0;
    oplogEntries.clear();
    preImages.clear();
    oplogBytes = 0;
    chained = false;
  }

  /** The changes so far, as a mutation of its own; the builder can go on or be reset. */
  public Mutation build() {
    BatchFormat.INT_LE.set(buffer, BatchFormat.COUNT_OFFSET, count);
    return new Mutation(Arrays.copyOf(buffer, end), count, oplogEntries, preImages, chained);
  }

  private void begin(byte tag, Keyspace keyspace, long contentBytes) {
    ensure(contentBytes + CHANGE_OVERHEAD_BYTES_MAX);
    buffer[end++] = tag;
    // One byte: ids are below 128, so their varint is the id itself.
    buffer[end++] = (byte) keyspace.id();
    count++;
  }

  private void append(byte[] source, int offset, int length) {
    end = BatchFormat.writeVarint(buffer, end, length);
    System.arraycopy(source, offset, buffer, end, length);
    end += length;
  }

  private void ensure(long more) {
    long needed = end + more;
    if (needed > buffer.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalStateException("a mutation cannot exceed 2 GiB");
      }
      long doubled = Math.min(2L * buffer.length, Integer.MAX_VALUE - 8);
      buffer = Arrays.copyOf(buffer, (int) Math.max(needed, doubled));
    }
  }
}
