package dev.wisent.wire;

import dev.wisent.bson.LittleEndian;

/** The sixteen bytes that every message begins with, read and written in place. */
public final class MessageHeader {
  public static final int BYTES = 16;

  public static final int OP_REPLY = 1;
  public static final int OP_QUERY = 2004;
  public static final int OP_COMPRESSED = 2012;
  public static final int OP_MSG = 2013;

  private MessageHeader() {}

  public static int length(byte[] message) {
    return LittleEndian.int32(message, 0);
  }

  public static int requestId(byte[] message) {
    return LittleEndian.int32(message, 4);
  }

  public static int responseTo(byte[] message) {
    return LittleEndian.int32(message, 8);
  }

  public static int opCode(byte[] message) {
    return LittleEndian.int32(message, 12);
  }

  public static void write(byte[] message, int length, int requestId, int responseTo, int opCode) {
    LittleEndian.putInt32(message, 0, length);
    LittleEndian.putInt32(message, 4, requestId);
    LittleEndian.putInt32(message, 8, responseTo);
    LittleEndian.putInt32(message, 12, opCode);
  }
}
