package dev.wisent.wire;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Messages written byte by byte, right or wrong as a test wants them. */
final class TestMessages {
  static final int REQUEST_ID = 77;

  private TestMessages() {}

  static RawDocument document(String json) {
    return RawDocument.parse(json);
  }

  /** A kind 0 section. */
  static byte[] body(RawDocument document) {
    return join(new byte[] {0}, document.toByteArray());
  }

  /** A kind 1 section. */
  static byte[] sequence(String name, RawDocument... documents) {
    byte[] content = join((name + "\0").getBytes(StandardCharsets.UTF_8));
    for (RawDocument document : documents) {
      content = join(content, document.toByteArray());
    }
    return join(new byte[] {1}, int32(4 + content.length), content);
  }

  static byte[] opMsg(int flags, byte[]... sections) {
    return message(MessageHeader.OP_MSG, join(int32(flags), join(sections)));
  }

  /** As {@link #opMsg}, followed by the checksum that belongs to it. */
  static byte[] opMsgWithChecksum(int flags, byte[]... sections) {
    byte[] message = join(opMsg(flags | OpMsg.CHECKSUM_PRESENT, sections), new byte[4]);
    LittleEndian.putInt32(message, 0, message.length);
    var crc = new CRC32C();
    crc.update(message, 0, message.length - 4);
    LittleEndian.putInt32(message, message.length - 4, (int) crc.getValue());
    return message;
  }

  static byte[] opQuery(String namespace, RawDocument query) {
    return message(
        MessageHeader.OP_QUERY,
        join(
            int32(4),
            (namespace + "\0").getBytes(StandardCharsets.UTF_8),
            int32(0),
            int32(-1),
            query.toByteArray()));
  }

  /** An OP_COMPRESSED whose every part is as given. */
  static byte[] opCompressed(int opCode, int size, int compressorId, byte[] data) {
    return message(
        MessageHeader.OP_COMPRESSED,
        join(int32(opCode), int32(size), new byte[] {(byte) compressorId}, data));
  }

  static byte[] message(int opCode, byte[] content) {
    byte[] message = join(new byte[MessageHeader.BYTES], content);
    MessageHeader.write(message, message.length, REQUEST_ID, 0, opCode);
    return message;
  }

  static byte[] int32(int value) {
    byte[] bytes = new byte[4];
    LittleEndian.putInt32(bytes, 0, value);
    return bytes;
  }

  static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
