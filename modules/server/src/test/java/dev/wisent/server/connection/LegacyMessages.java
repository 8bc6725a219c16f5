package dev.wisent.server.connection;

import dev.wisent.bson.RawDocument;
import dev.wisent.wire.MessageHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** OP_QUERY, as drivers send it before they know the server. */
final class LegacyMessages {
  static final int REQUEST_ID = 4321;

  private LegacyMessages() {}

  static byte[] query(String namespace, String json) {
    RawDocument document = RawDocument.parse(json);
    byte[] name = (namespace + "\0").getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[MessageHeader.BYTES + 4 + name.length + 8 + document.length()];
    MessageHeader.write(message, message.length, REQUEST_ID, 0, MessageHeader.OP_QUERY);
    ByteBuffer.wrap(message)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(MessageHeader.BYTES)
        .putInt(4)
        .put(name)
        .putInt(0)
        .putInt(-1)
        .put(document.toByteArray());
    return message;
  }
}
