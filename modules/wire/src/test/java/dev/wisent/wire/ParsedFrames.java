package dev.wisent.wire;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;

/** What must hold of any bytes that arrive as one frame. */
final class ParsedFrames {
  private ParsedFrames() {}

  /**
   * Reads the frame as the server does. Anything but the two exceptions that the server answers to
   * is a fault.
   *
   * @return whether the frame was read
   */
  static boolean readOrRefused(byte[] frame) {
    byte[] message = Arrays.copyOf(frame, Math.max(frame.length, MessageHeader.BYTES));
    try {
      read(message);
      return true;
    } catch (WireException | CommandException e) {
      return false;
    }
  }

  private static void read(byte[] message) {
    switch (MessageHeader.opCode(message)) {
      case MessageHeader.OP_MSG -> use(OpMsg.parse(message, message.length));
      case MessageHeader.OP_QUERY -> walk(OpQuery.parse(message, message.length).query());
      case MessageHeader.OP_COMPRESSED -> {
        byte[] inner = CompressedMessage.unwrap(message, message.length);
        if (MessageHeader.length(inner) != inner.length) {
          throw new AssertionError("the inner message has a wrong length");
        }
        read(inner);
      }
      default -> throw new WireException("not served");
    }
  }

  private static void use(OpMsg message) {
    walk(message.body());
    for (DocumentSequence sequence : message.sequences()) {
      sequence.documents().forEach(ParsedFrames::walk);
    }
  }

  private static void walk(RawDocument document) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.value().isDocument() || fields.value().isArray()) {
        walk(fields.value().asDocument());
      }
    }
  }
}
