package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into messages. A message starts with its own length (int32, little endian,
 * the 16-byte header included), which is checked before anything is reserved for it. The array for
 * a long message grows with what has arrived: announcing 48 MB costs the client's bytes, not ours.
 */
final class FrameAssembler {
  static final int HEADER_BYTES = 16;

  /** Reserved for a message at first, however long it claims to be. */
  private static final int FIRST_BYTES_MAX = 64 * 1024;

  /** A growing array is made this many times as long as what has arrived. */
  private static final int GROWTH = 4;

  private static final int LENGTH_BYTES = 4;
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The start of a message that has not arrived completely; null between messages. */
  private byte[] partial;

  private int arrived;

  /** Of the message in {@link #partial}; 0 while fewer than four bytes of it are there. */
  private int length;

  /**
   * Takes bytes from {@code in} up to the end of one message.
   *
   * @return the message, exactly as long as it is, or null when {@code in} is used up before its
   *     end
   */
  byte[] next(InputBuffer in) throws MalformedFrameException {
    if (partial == null) {
      if (in.remaining() >= LENGTH_BYTES) {
        int announced = checkedLength((int) INT_LE.get(in.bytes(), in.position()));
        if (in.remaining() >= announced) {
          return in.take(announced);
        }
      }
      if (in.remaining() == 0) {
        return null;
      }
      partial = new byte[HEADER_BYTES];
    }
    return append(in);
  }

  private byte[] append(InputBuffer in) throws MalformedFrameException {
    if (length == 0) {
      arrived += in.copyTo(partial, arrived, LENGTH_BYTES - arrived);
      if (arrived < LENGTH_BYTES) {
        return null;
      }
      length = checkedLength((int) INT_LE.get(partial, 0));
    }
    while (arrived < length && in.remaining() > 0) {
      reserve();
      arrived += in.copyTo(partial, arrived, partial.length - arrived);
    }
    return completed();
  }

  /** Whether so much is missing that it should be read straight into {@link #target}. */
  boolean wantsDirectRead() {
    return length - arrived >= InputBuffer.CAPACITY;
  }

  /** The array to read into, from {@link #targetOffset} to its end. */
  byte[] target() {
    reserve();
    return partial;
  }

  int targetOffset() {
    return arrived;
  }

  /**
   * Accounts for bytes that were put into {@link #target}.
   *
   * @return the message if it is complete, otherwise null
   */
  byte[] received(int count) {
    arrived += count;
    return completed();
  }

  private byte[] completed() {
    if (arrived < length || length == 0) {
      return null;
    }
    byte[] message = partial;
    partial = null;
    arrived = 0;
    length = 0;
    return message;
  }

  private void reserve() {
    if (arrived == partial.length || partial.length > length) {
      int capacity = Math.max(FIRST_BYTES_MAX, GROWTH * arrived);
      partial = Arrays.copyOf(partial, Math.min(length, capacity));
    }
  }

  private static int checkedLength(int length) throws MalformedFrameException {
    if (length < HEADER_BYTES || length > Limits.MESSAGE_BYTES_MAX) {
      throw new MalformedFrameException(
          "message length "
              + length
              + " is not between "
              + HEADER_BYTES
              + " and "
              + Limits.MESSAGE_BYTES_MAX);
    }
    return length;
  }
}
