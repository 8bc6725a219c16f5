package dev.wisent.server.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Builds and reads test messages: length, number, two unused integers, then filler bytes. */
final class Frames {
  private Frames() {}

  /** A message with a body that depends on its number and length. */
  static byte[] frame(int number, int length) {
    byte[] frame = new byte[length];
    for (int i = FrameAssembler.HEADER_BYTES; i < length; i++) {
      frame[i] = (byte) (number * 31 + i);
    }
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(0, length).putInt(4, number);
    return frame;
  }

  static int number(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  /** Only the first four bytes of a message. */
  static byte[] lengthOnly(int length) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array();
  }

  static byte[] join(byte[]... frames) {
    int length = 0;
    for (byte[] frame : frames) {
      length += frame.length;
    }
    var joined = ByteBuffer.allocate(length);
    for (byte[] frame : frames) {
      joined.put(frame);
    }
    return joined.array();
  }
}
