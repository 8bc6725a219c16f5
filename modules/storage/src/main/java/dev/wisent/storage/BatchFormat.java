package dev.wisent.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * RocksDB's serialized write batch, as far as mutations use it: 8 bytes of sequence number (0 until
 * applied) and 4 bytes of change count, both little endian; then per change a tag, the column
 * family id as varint32, the key, and for puts and merges the value, for range deletions the end
 * key, each of them with a varint32 length before it.
 */
final class BatchFormat {
  static final int HEADER_BYTES = 12;
  static final int COUNT_OFFSET = 8;

  static final byte TAG_DELETE = 0x4;
  static final byte TAG_PUT = 0x5;
  static final byte TAG_MERGE = 0x6;
  static final byte TAG_DELETE_RANGE = 0xE;

  static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] batch;
  private int position = HEADER_BYTES;

  private BatchFormat(byte[] batch) {
    this.batch = batch;
  }

  /** How many bytes a number has as varint32. */
  static int varintBytes(int value) {
    return value == 0 ? 1 : Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(value), 7);
  }

  /** Writes a number as varint32, and returns where it ends. */
  static int writeVarint(byte[] target, int at, int value) {
    int end = at;
    int rest = value;
    while (rest >= 0x80) {
      target[end++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[end++] = (byte) rest;
    return end;
  }

  /** One batch with the changes of several, in their order. */
  static byte[] join(List<byte[]> batches) {
    long size = HEADER_BYTES;
    int count = 0;
    for (byte[] batch : batches) {
      size += batch.length - HEADER_BYTES;
      count += (int) INT_LE.get(batch, COUNT_OFFSET);
    }
    byte[] joined = new byte[Math.toIntExact(size)];
    INT_LE.set(joined, COUNT_OFFSET, count);
    int end = HEADER_BYTES;
    for (byte[] batch : batches) {
      System.arraycopy(batch, HEADER_BYTES, joined, end, batch.length - HEADER_BYTES);
      end += batch.length - HEADER_BYTES;
    }
    return joined;
  }

  /** Walks over a batch and returns its change count. */
  static int validate(byte[] batch) {
    if (batch.length < HEADER_BYTES) {
      throw malformed("its header is incomplete");
    }
    if ((long) LONG_LE.get(batch, 0) != 0) {
      throw malformed("it carries a sequence number");
    }
    int expected = (int) INT_LE.get(batch, COUNT_OFFSET);
    BatchFormat reader = new BatchFormat(batch);
    int count = 0;
    while (reader.position < batch.length) {
      reader.skipChange();
      count++;
    }
    if (count != expected) {
      throw malformed("it has " + count + " changes but claims " + expected);
    }
    return count;
  }

  private void skipChange() {
    byte tag = batch[position++];
    int family = readVarint();
    if (family < 1 || family > Keyspace.values().length) {
      throw malformed("there is no keyspace " + family);
    }
    skipSlice();
    switch (tag) {
      case TAG_DELETE -> {}
      case TAG_PUT, TAG_DELETE_RANGE -> skipSlice();
      case TAG_MERGE -> {
        if (skipSlice() != Long.BYTES) {
          throw malformed("a counter changes by 8 bytes");
        }
      }
      default -> throw malformed("there is no change of kind " + tag);
    }
  }

  private int skipSlice() {
    int length = readVarint();
    if (length < 0 || length > batch.length - position) {
      throw malformed("it is cut off");
    }
    position += length;
    return length;
  }

  private int readVarint() {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      if (position == batch.length) {
        throw malformed("it is cut off");
      }
      byte next = batch[position++];
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a length has more than five bytes");
  }

  private static IllegalArgumentException malformed(String why) {
    return new IllegalArgumentException("Malformed batch: " + why);
  }
}
