package dev.wisent.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in BSON's and the wire protocol's byte order. */
public final class LittleEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static int int32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  public static long int64(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  public static void putInt32(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  public static void putInt64(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
