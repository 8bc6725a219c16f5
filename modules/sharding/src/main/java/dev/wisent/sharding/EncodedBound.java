package dev.wisent.sharding;

import dev.wisent.bson.IndexKeyV1;
import java.util.Arrays;

/**
 * A bound of a chunk: its encoded key and the type bits behind it, in an array that may have more.
 *
 * @param keyEnd where the type bits begin
 */
record EncodedBound(byte[] bytes, int start, int keyEnd, int end)
    implements Comparable<EncodedBound> {
  static EncodedBound of(IndexKeyV1.Encoder key) {
    int keyLength = key.length();
    byte[] bytes = Arrays.copyOf(key.bytes(), keyLength + key.typeBitsLength());
    System.arraycopy(key.typeBits(), 0, bytes, keyLength, key.typeBitsLength());
    return new EncodedBound(bytes, 0, keyLength, bytes.length);
  }

  int length() {
    return end - start;
  }

  byte[] key() {
    return Arrays.copyOfRange(bytes, start, keyEnd);
  }

  /** By the keys; type bits do not count. */
  @Override
  public int compareTo(EncodedBound other) {
    return Arrays.compareUnsigned(bytes, start, keyEnd, other.bytes, other.start, other.keyEnd);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedBound that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = start; i < keyEnd; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }
}
