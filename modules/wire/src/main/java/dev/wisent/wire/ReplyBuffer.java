package dev.wisent.wire;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One reply or request being written: a document straight behind room for its header. Reused from
 * reply to reply; {@link #trim} lets go of a large array.
 */
public final class ReplyBuffer {
  private static final int OP_MSG_PREFIX = MessageHeader.BYTES + 4 + 1;
  private static final int OP_REPLY_PREFIX = MessageHeader.BYTES + 20;
  private static final int INITIAL_BYTES = 4096;

  /** A reply with the largest document; hardly one is larger. */
  private static final int LARGEST_BYTES = Limits.DOCUMENT_BYTES_MAX_INTERNAL + 1024;

  /** Is asked for the memory of a reply before it is taken; may block, and may throw. */
  @FunctionalInterface
  public interface Memory {
    /**
     * @param bytes all that the reply takes then
     */
    void take(long bytes);
  }

  private final Memory memory;

  /** Null until there is something to write. */
  private BsonBuilder body;

  private byte[] message;
  private int length;

  /** A buffer whose memory is not counted. */
  public ReplyBuffer() {
    this(bytes -> {});
  }

  public ReplyBuffer(Memory memory) {
    this.memory = memory;
  }

  private int grow(int capacity, int needed) {
    int next = Math.max(2 * capacity, needed);
    if (needed <= LARGEST_BYTES) {
      next = Math.min(next, LARGEST_BYTES);
    }
    memory.take(next);
    return next;
  }

  /** Begins an OP_MSG and returns the builder of its body. */
  public BsonBuilder startMessage() {
    return start(OP_MSG_PREFIX);
  }

  /** Begins an OP_REPLY, the answer to OP_QUERY, and returns the builder of its document. */
  public BsonBuilder startLegacyReply() {
    return start(OP_REPLY_PREFIX);
  }

  private BsonBuilder start(int reserved) {
    message = null;
    if (body == null) {
      body = new BsonBuilder(INITIAL_BYTES, this::grow);
    }
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

  /** Ends the body and completes the OP_MSG of a request, with the sequences behind the body. */
  public void finishRequest(int requestId, int flags, List<DocumentSequence> sequences) {
    finishMessage(requestId, 0, flags);
    for (DocumentSequence sequence : sequences) {
      append(sequence);
    }
    LittleEndian.putInt32(message, 0, length);
  }

  private void append(DocumentSequence sequence) {
    byte[] name = sequence.name().getBytes(StandardCharsets.UTF_8);
    long size = 4L + name.length + 1;
    for (RawDocument document : sequence.documents()) {
      size += document.length();
    }
    int end = Math.toIntExact(length + 1 + size);
    if (message.length < end) {
      message = Arrays.copyOf(message, end);
    }
    message[length] = 1;
    LittleEndian.putInt32(message, length + 1, (int) size);
    int at = length + 5;
    System.arraycopy(name, 0, message, at, name.length);
    at += name.length;
    message[at++] = 0;
    for (RawDocument document : sequence.documents()) {
      System.arraycopy(document.bytes(), document.offset(), message, at, document.length());
      at += document.length();
    }
    length = end;
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
    // The compressed form, and the buffer in which it is made.
    memory.take(body.bytes().length + 2L * length);
    message = CompressedMessage.wrap(message, length, compressor);
    length = message.length;
  }

  /** Lets go of the finished message, and of a buffer that is larger than this. */
  public void trim(int keptBytesMax) {
    message = null;
    if (capacity() > keptBytesMax) {
      body = null;
    }
  }

  /** How large the buffer is that is kept for the next reply. */
  public int capacity() {
    return body == null ? 0 : body.bytes().length;
  }

  /** The finished message is {@code bytes()[0..length())}. */
  public byte[] bytes() {
    return message;
  }

  public int length() {
    return length;
  }
}
