package dev.wisent.wire;

import dev.wisent.base.Limits;
import dev.wisent.bson.LittleEndian;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DataFormatException;

/** OP_COMPRESSED: another message, compressed, behind nine bytes that describe it. */
public final class CompressedMessage {
  private static final int PREFIX = MessageHeader.BYTES + 9;

  private CompressedMessage() {}

  /** The compression that a compressed message uses. */
  public static Compressor compressorOf(byte[] message, int length) {
    if (length < PREFIX) {
      throw new WireException("OP_COMPRESSED of " + length + " bytes is too short");
    }
    int id = message[MessageHeader.BYTES + 8];
    return Compressor.byId(id)
        .orElseThrow(() -> new WireException("compressor " + id + " is unknown"));
  }

  /**
   * How long the message inside claims to be, by the first bytes of the compressed one; 0 for a
   * claim that cannot be true. Nothing is checked yet.
   */
  public static int claimedSize(byte[] start, int length) {
    int size = length < PREFIX ? 0 : LittleEndian.int32(start, MessageHeader.BYTES + 4);
    return size < 0 || size > Limits.MESSAGE_BYTES_MAX ? 0 : size;
  }

  /** The message inside, with a header of its own. */
  public static byte[] unwrap(byte[] message, int length) {
    Compressor compressor = compressorOf(message, length);
    int opCode = LittleEndian.int32(message, MessageHeader.BYTES);
    int size = LittleEndian.int32(message, MessageHeader.BYTES + 4);
    if (opCode == MessageHeader.OP_COMPRESSED) {
      throw new WireException("a compressed message inside a compressed message");
    }
    if (size < 0 || size > Limits.MESSAGE_BYTES_MAX - MessageHeader.BYTES) {
      throw new WireException("compressed message claims to hold " + size + " bytes");
    }
    byte[] inner = decompress(compressor, message, length, size);
    MessageHeader.write(
        inner,
        inner.length,
        MessageHeader.requestId(message),
        MessageHeader.responseTo(message),
        opCode);
    return inner;
  }

  private static byte[] decompress(Compressor compressor, byte[] message, int length, int size) {
    int dataLength = length - PREFIX;
    try {
      // Asked before anything is reserved: a few bytes must not cost 48 MB.
      if (compressor.mayHold(message, PREFIX, dataLength, size)) {
        byte[] inner = new byte[MessageHeader.BYTES + size];
        int written =
            compressor.decompress(message, PREFIX, dataLength, inner, MessageHeader.BYTES, size);
        if (written == size) {
          return inner;
        }
      }
    } catch (IOException | DataFormatException e) {
      throw new WireException("compressed message cannot be read: " + e.getMessage());
    }
    throw new WireException("compressed message does not hold the " + size + " bytes it claims");
  }

  /** Compresses a whole message. */
  public static byte[] wrap(byte[] message, int length, Compressor compressor) {
    byte[] data;
    try {
      data = compressor.compress(message, MessageHeader.BYTES, length - MessageHeader.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] outer = new byte[PREFIX + data.length];
    MessageHeader.write(
        outer,
        outer.length,
        MessageHeader.requestId(message),
        MessageHeader.responseTo(message),
        MessageHeader.OP_COMPRESSED);
    LittleEndian.putInt32(outer, MessageHeader.BYTES, MessageHeader.opCode(message));
    LittleEndian.putInt32(outer, MessageHeader.BYTES + 4, length - MessageHeader.BYTES);
    outer[MessageHeader.BYTES + 8] = (byte) compressor.id();
    System.arraycopy(data, 0, outer, PREFIX, data.length);
    return outer;
  }
}
