package dev.wisent.tools.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in bytes. */
final class LittleEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static int int32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static long int64(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putInt64(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
