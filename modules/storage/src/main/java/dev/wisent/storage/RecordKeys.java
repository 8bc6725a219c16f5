package dev.wisent.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keys that begin with a 4-byte big-endian ident (the number of a collection or an index) and, for
 * records, go on with an 8-byte big-endian RecordId. Both are ordered as unsigned numbers.
 */
public final class RecordKeys {
  public static final int IDENT_BYTES = Integer.BYTES;
  public static final int RECORD_ID_BYTES = Long.BYTES;
  public static final int RECORD_KEY_BYTES = IDENT_BYTES + RECORD_ID_BYTES;

  private static final VarHandle INT_BE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_BE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private RecordKeys() {}

  /** The key of a record, in a new array. */
  public static byte[] recordKey(int ident, long recordId) {
    byte[] key = new byte[RECORD_KEY_BYTES];
    writeRecordKey(key, ident, recordId);
    return key;
  }

  /** Writes the key of a record into the first {@link #RECORD_KEY_BYTES} bytes of an array. */
  public static void writeRecordKey(byte[] dest, int ident, long recordId) {
    INT_BE.set(dest, 0, ident);
    LONG_BE.set(dest, IDENT_BYTES, recordId);
  }

  /** Writes an ident into the first {@link #IDENT_BYTES} bytes of an array. */
  public static void writeIdent(byte[] dest, int ident) {
    INT_BE.set(dest, 0, ident);
  }

  public static void writeRecordId(byte[] dest, int offset, long recordId) {
    LONG_BE.set(dest, offset, recordId);
  }

  public static int ident(byte[] key) {
    return (int) INT_BE.get(key, 0);
  }

  public static int ident(byte[] source, int offset) {
    return (int) INT_BE.get(source, offset);
  }

  /** The RecordId of a record key. */
  public static long recordId(byte[] key) {
    return (long) LONG_BE.get(key, IDENT_BYTES);
  }

  public static long recordId(byte[] source, int offset) {
    return (long) LONG_BE.get(source, offset);
  }

  /** The inclusive lower bound of all keys of an ident. */
  public static byte[] lowerBound(int ident) {
    byte[] key = new byte[IDENT_BYTES];
    INT_BE.set(key, 0, ident);
    return key;
  }

  /** The exclusive upper bound of all keys of an ident; null, that is none, for the last ident. */
  public static byte[] upperBound(int ident) {
    return ident == -1 ? null : lowerBound(ident + 1);
  }

  /**
   * The exclusive upper bound of all keys that begin with {@code prefix}; null, that is none, when
   * the prefix is all ones.
   */
  public static byte[] prefixUpperBound(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] bound = Arrays.copyOf(prefix, last + 1);
    bound[last]++;
    return bound;
  }
}
