package dev.wisent.bson;

/** Hashes of values that agree with the equality of {@link ValueOrder}. */
final class ValueHash {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private ValueHash() {}

  static int hash(byte type, byte[] bytes, int offset) {
    int rank = ElementType.rank(type);
    return rank * 31 + hashWithinRank(type, bytes, offset);
  }

  private static int hashWithinRank(byte type, byte[] bytes, int offset) {
    return switch (type) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          NumberOrder.hash(type, bytes, offset);
      case ElementType.DOCUMENT -> elements(bytes, offset, true);
      case ElementType.ARRAY -> elements(bytes, offset, false);
      case ElementType.BOOLEAN -> bytes[offset] != 0 ? 1 : 0;
      case ElementType.CODE_WITH_SCOPE -> {
        int codeLength = LittleEndian.int32(bytes, offset + 4);
        yield 31 * hash(bytes, offset + 8, codeLength)
            + elements(bytes, offset + 8 + codeLength, true);
      }
      default -> hash(bytes, offset, RawValue.lengthAt(type, bytes, offset));
    };
  }

  private static int elements(byte[] bytes, int offset, boolean withNames) {
    int hash = 1;
    int at = offset + 4;
    while (true) {
      byte type = bytes[at++];
      if (type == 0) {
        return hash;
      }
      int value = CString.end(bytes, at) + 1;
      if (withNames) {
        hash = 31 * hash + hash(bytes, at, value - at);
      }
      hash = 31 * hash + hash(type, bytes, value);
      at = value + RawValue.lengthAt(type, bytes, value);
    }
  }

  private static int hash(byte[] bytes, int offset, int length) {
    long hash = length;
    int at = offset;
    int end = offset + length;
    for (; at + 8 <= end; at += 8) {
      hash = Long.rotateLeft((hash ^ LittleEndian.int64(bytes, at)) * MULTIPLIER, 29);
    }
    for (; at < end; at++) {
      hash = (hash ^ (bytes[at] & 0xFF)) * MULTIPLIER;
    }
    return (int) (hash ^ hash >>> 32);
  }
}
