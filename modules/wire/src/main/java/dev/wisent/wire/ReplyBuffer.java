package dev.wisent.wire;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import java.util.Arrays;

/**
 * One reply being written: a document straight behind room for its header. Reused from reply to
 * reply; an unusually large array is let go.
 */
public final class ReplyBuffer {
  private static final int OP_MSG_PREFIX = MessageHeader.BYTES + 4 + 1;
  private static final int OP_REPLY_PREFIX = MessageHeader.BYTES + 20;
  private static final int KEPT_BYTES_MAX = 1 << 20;
  private static final int INITIAL_BYTES = 4096;

  private BsonBuilder body = new BsonBuilder(INITIAL_BYTES);
  private byte[] message;
  private int length;

  /** Begins an OP_MSG and returns the builder of its body. */
  public BsonBuilder startMessage() {
    return start(OP_MSG_PREFIX);
  }

  /** Begins an OP_REPLY, the answer to OP_QUERY, and returns the builder of its document. */
  public BsonBuilder startLegacyReply() {
    return start(OP_REPLY_PREFIX);
  }

  private BsonBuilder start(int reserved) {
    if (body.bytes().length > KEPT_BYTES_MAX) {
      body = new BsonBuilder(INITIAL_BYTES);
    }
    message = null;
    body.reset(reserved);
    return body;
  }

  /** Ends the body and completes the OP_MSG around it. */
  public void finishMessage(int requestId, int responseTo, int flags) {
    body.end();
    message = body.bytes();
    length = body.position();
    boolean checksum = (flags & OpMsg.CHECKSUM_PRESENT) != 0;
    int total = checksum ? length + 4 : length;
    if (message.length < total) {
      message = Arrays.copyOf(message, total);
    }
    MessageHeader.write(message, total, requestId, responseTo, MessageHeader.OP_MSG);
    LittleEndian.putInt32(message, MessageHeader.BYTES, flags);
    message[MessageHeader.BYTES + 4] = 0;
    if (checksum) {
      LittleEndian.putInt32(message, length, OpMsg.checksum(message, length));
      length = total;
    }
  }

  /** Ends the document and completes the OP_REPLY around it. */
  public void finishLegacyReply(int requestId, int responseTo) {
    body.end();
    message = body.bytes();
    length = body.position();
    MessageHeader.write(message, length, requestId, responseTo, MessageHeader.OP_REPLY);
    int awaitCapable = 8;
    LittleEndian.putInt32(message, MessageHeader.BYTES, awaitCapable);
    LittleEndian.putInt64(message, MessageHeader.BYTES + 4, 0);
    LittleEndian.putInt32(message, MessageHeader.BYTES + 12, 0);
    LittleEndian.putInt32(message, MessageHeader.BYTES + 16, 1);
  }

  /** Replaces the finished message by its compressed form. */
  public void compress(Compressor compressor) {
    message = CompressedMessage.wrap(message, length, compressor);
    length = message.length;
  }

  /** The finished message is {@code bytes()[0..length())}. */
  public byte[] bytes() {
    return message;
  }

  public int length() {
    return length;
  }
}
