package dev.wisent.bson;

import java.util.Arrays;

/** A growable array that keys and type bits are written to. */
final class KeyBuffer {
  private byte[] bytes;
  private int length;

  KeyBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void truncate(int newLength) {
    length = newLength;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }

  void put(int b) {
    ensure(1);
    bytes[length++] = (byte) b;
  }

  void putInt16(int value) {
    ensure(2);
    bytes[length++] = (byte) (value >>> 8);
    bytes[length++] = (byte) value;
  }

  /** Big endian, as all numbers in keys. */
  void putInt32(int value) {
    ensure(4);
    LittleEndian.putInt32(bytes, length, Integer.reverseBytes(value));
    length += 4;
  }

  void putInt64(long value) {
    ensure(8);
    LittleEndian.putInt64(bytes, length, Long.reverseBytes(value));
    length += 8;
  }

  void put(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Inverts every byte from {@code from} to the end, which turns their order around. */
  void invertFrom(int from) {
    for (int i = from; i < length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }
}
