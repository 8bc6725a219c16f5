package dev.wisent.server.transport;

import java.util.Arrays;

/** Bytes that have arrived and are not yet part of a message. Belongs to a connection's owner. */
final class InputBuffer {
  /** Most requests are far smaller, so one read usually brings a whole one. */
  static final int CAPACITY = 8 * 1024;

  private final byte[] scratch = new byte[CAPACITY];
  private byte[] bytes = scratch;
  private int position;
  private int limit;

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  int remaining() {
    return limit - position;
  }

  /** The array to read into, from its beginning; allowed only when nothing remains. */
  byte[] emptied() {
    bytes = scratch;
    position = 0;
    limit = 0;
    return scratch;
  }

  void filled(int count) {
    limit = count;
  }

  /** Goes on with these bytes; allowed only when nothing remains. */
  void replace(byte[] next) {
    bytes = next;
    position = 0;
    limit = next.length;
  }

  byte[] take(int count) {
    byte[] taken = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    return taken;
  }

  /** Copies at most {@code count} bytes and says how many. */
  int copyTo(byte[] target, int offset, int count) {
    int copied = Math.min(count, remaining());
    System.arraycopy(bytes, position, target, offset, copied);
    position += copied;
    return copied;
  }

  byte[] takeAll() {
    return take(remaining());
  }
}
