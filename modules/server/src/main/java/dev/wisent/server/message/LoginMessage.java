package dev.wisent.server.message;

import dev.wisent.wire.MessageHeader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognises, from the bytes alone, a login: the answer to one that fails may be held back. The
 * message is not checked yet.
 */
final class LoginMessage {
  private static final int NAME_OFFSET = MessageHeader.BYTES + 4 + 1 + 4 + 1;
  private static final byte[][] NAMES = {
    cstring("saslStart"), cstring("saslContinue"), cstring("authenticate")
  };

  private LoginMessage() {}

  static boolean is(byte[] message) {
    return switch (MessageHeader.opCode(message)) {
      case MessageHeader.OP_MSG -> startsWithName(message);
      // Nothing but what opens a connection comes in these.
      case MessageHeader.OP_QUERY -> true;
      default -> false;
    };
  }

  private static boolean startsWithName(byte[] message) {
    for (byte[] name : NAMES) {
      int end = NAME_OFFSET + name.length;
      if (end <= message.length && Arrays.equals(message, NAME_OFFSET, end, name, 0, name.length)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] cstring(String text) {
    return (text + "\0").getBytes(StandardCharsets.US_ASCII);
  }
}
