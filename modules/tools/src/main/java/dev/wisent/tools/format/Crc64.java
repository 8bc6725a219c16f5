package dev.wisent.tools.format;

/** CRC-64 of ECMA-182, reflected, as in XZ: the check of archives. Not thread-safe. */
final class Crc64 {
  private static final long POLYNOMIAL = 0xC96C5795D7870F42L;
  private static final int SLICES = 8;

  /** {@code TABLE[n][b]} is what byte {@code b} adds when {@code n} more bytes have followed. */
  private static final long[][] TABLE = table();

  private long state = -1L;

  private static long[][] table() {
    long[][] table = new long[SLICES][256];
    for (int i = 0; i < 256; i++) {
      long crc = i;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      }
      table[0][i] = crc;
    }
    for (int slice = 1; slice < SLICES; slice++) {
      for (int i = 0; i < 256; i++) {
        long before = table[slice - 1][i];
        table[slice][i] = table[0][(int) (before & 0xff)] ^ before >>> 8;
      }
    }
    return table;
  }

  void update(byte[] bytes, int offset, int length) {
    long crc = state;
    int at = offset;
    int end = offset + length;
    for (; at + SLICES <= end; at += SLICES) {
      crc ^= LittleEndian.int64(bytes, at);
      crc =
          TABLE[7][(int) (crc & 0xff)]
              ^ TABLE[6][(int) (crc >>> 8 & 0xff)]
              ^ TABLE[5][(int) (crc >>> 16 & 0xff)]
              ^ TABLE[4][(int) (crc >>> 24 & 0xff)]
              ^ TABLE[3][(int) (crc >>> 32 & 0xff)]
              ^ TABLE[2][(int) (crc >>> 40 & 0xff)]
              ^ TABLE[1][(int) (crc >>> 48 & 0xff)]
              ^ TABLE[0][(int) (crc >>> 56)];
    }
    for (; at < end; at++) {
      crc = TABLE[0][(int) ((crc ^ bytes[at]) & 0xff)] ^ crc >>> 8;
    }
    state = crc;
  }

  long value() {
    return ~state;
  }

  static long of(byte[] bytes, int offset, int length) {
    var crc = new Crc64();
    crc.update(bytes, offset, length);
    return crc.value();
  }
}
