package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * Cuts a stream of bytes into messages. A message starts with its own length (int32, little endian,
 * the 16-byte header included), which is checked before anything is reserved for it. Of a large
 * message only the first bytes are taken until there is memory for all of it: see {@link
 * #needsMemory}.
 */
final class FrameAssembler {
  static final int HEADER_BYTES = 16;

  /** What is taken of a large message before its memory is there: enough to see what it is. */
  static final int PREFIX_BYTES = 32;

  private static final int LENGTH_BYTES = 4;
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private IntSupplier bytesMax = () -> Limits.MESSAGE_BYTES_MAX;

  /** The start of a message that has not arrived completely; null between messages. */
  private byte[] partial;

  private int arrived;

  /** Of the message in {@link #partial}; 0 while fewer than four bytes of it are there. */
  private int length;

  /** Whether there is memory for the message in {@link #partial}, if it is a large one. */
  private boolean memoryTaken;

  /** From now on asks for each message how long it may be. */
  void bytesMax(IntSupplier max) {
    bytesMax = max;
  }

  /**
   * Takes bytes from {@code in} up to the end of one message.
   *
   * @return the message, exactly as long as it is, or null when {@code in} is used up before its
   *     end, or the message {@link #needsMemory}
   */
  byte[] next(InputBuffer in) throws MalformedFrameException {
    if (partial == null) {
      if (in.remaining() >= LENGTH_BYTES) {
        int announced = checkedLength((int) INT_LE.get(in.bytes(), in.position()));
        if (in.remaining() >= announced && !isLarge(announced)) {
          return in.take(announced);
        }
      }
      if (in.remaining() == 0) {
        return null;
      }
      partial = new byte[PREFIX_BYTES];
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
    while (arrived < length && in.remaining() > 0 && !needsMemory()) {
      reserve();
      arrived += in.copyTo(partial, arrived, partial.length - arrived);
    }
    return completed();
  }

  private static boolean isLarge(int length) {
    return length > Limits.MESSAGE_BYTES_UNCOUNTED_MAX;
  }

  /** Whether a large message has begun, whose memory is to be taken before it is read on. */
  boolean needsMemory() {
    return !memoryTaken && isLarge(length) && arrived >= PREFIX_BYTES;
  }

  void memoryTaken() {
    memoryTaken = true;
  }

  /** The message that has not arrived completely; null between messages. */
  byte[] partial() {
    return partial;
  }

  /** How long it will be; 0 if that is not known. */
  int length() {
    return length;
  }

  /** Whether so much is missing that it should be read straight into {@link #target}. */
  boolean wantsDirectRead() {
    return length - arrived >= InputBuffer.CAPACITY && (memoryTaken || !isLarge(length));
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
    memoryTaken = false;
    return message;
  }

  private void reserve() {
    int capacity = memoryTaken || !isLarge(length) ? length : PREFIX_BYTES;
    if (partial.length != capacity) {
      partial = Arrays.copyOf(partial, capacity);
    }
  }

  private int checkedLength(int announced) throws MalformedFrameException {
    int max = bytesMax.getAsInt();
    if (announced < HEADER_BYTES || announced > max) {
      throw new MalformedFrameException(
          "message length " + announced + " is not between " + HEADER_BYTES + " and " + max,
          announced);
    }
    return announced;
  }
}
