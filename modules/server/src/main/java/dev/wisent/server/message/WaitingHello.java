package dev.wisent.server.message;

import dev.wisent.wire.MessageHeader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognises, from the bytes alone, a hello that waits for a change: monitors of drivers keep one
 * under way all the time. The message is not checked yet, so nothing here trusts its lengths.
 */
final class WaitingHello {
  private static final int NAME_OFFSET = MessageHeader.BYTES + 4 + 1 + 4 + 1;
  private static final int MESSAGE_BYTES_MAX = 4096;
  private static final byte[][] NAMES = {
    cstring("hello"), cstring("isMaster"), cstring("ismaster")
  };
  private static final byte[] AWAIT = cstring("maxAwaitTimeMS");

  private WaitingHello() {}

  static boolean is(byte[] message) {
    if (message.length > MESSAGE_BYTES_MAX || !startsWithName(message)) {
      return false;
    }
    for (int i = NAME_OFFSET; i + AWAIT.length <= message.length; i++) {
      if (message[i] == AWAIT[0] && regionMatches(message, i, AWAIT)) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWithName(byte[] message) {
    for (byte[] name : NAMES) {
      if (regionMatches(message, NAME_OFFSET, name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean regionMatches(byte[] message, int offset, byte[] expected) {
    int end = offset + expected.length;
    return end <= message.length
        && Arrays.equals(message, offset, end, expected, 0, expected.length);
  }

  private static byte[] cstring(String text) {
    return (text + "\0").getBytes(StandardCharsets.US_ASCII);
  }
}
