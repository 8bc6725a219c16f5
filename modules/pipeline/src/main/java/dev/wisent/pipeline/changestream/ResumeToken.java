package dev.wisent.pipeline.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A place in a change stream. Clients get it as {@code {_data: <hex>}}; the bytes sort like the
 * stream, and are MongoDB's of version 2: cluster time, version, kind of token, index in the
 * transaction, whether it is of an invalidate, the collection's uuid or null, and for an event what
 * it is and of which document. The token of a part of a split event ends with the part's number.
 *
 * <p>A high-water mark is the place before all events of its cluster time.
 */
public final class ResumeToken implements Comparable<ResumeToken> {
  private static final int VERSION = 2;
  private static final int EVENT = 128;
  private static final String DATA = "_data";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final byte[] bytes;
  private final Head head;

  /** What all tokens begin with. */
  private record Head(
      long clusterTime,
      boolean highWaterMark,
      long transactionIndex,
      boolean fromInvalidate,
      boolean hasUuid) {}

  private ResumeToken(byte[] bytes, Head head) {
    this.bytes = bytes;
    this.head = head;
  }

  /** The place before all events of a cluster time. */
  public static ResumeToken highWaterMark(long clusterTime) {
    var head = new Head(clusterTime, true, 0, false, false);
    return new ResumeToken(begin(head).type(TokenBytes.NULL).type(TokenBytes.END).toArray(), head);
  }

  /**
   * The place of an event.
   *
   * @param transactionIndex its place among the changes of its cluster time
   * @param uuid of its collection; null for none
   * @param keyName what the event tells of: {@code documentKey} or {@code operationDescription}
   * @param key null for nothing
   */
  public static ResumeToken ofEvent(
      long clusterTime,
      long transactionIndex,
      UUID uuid,
      String operationType,
      String keyName,
      RawDocument key) {
    var head = new Head(clusterTime, false, transactionIndex, false, uuid != null);
    TokenBytes out = begin(head);
    out.value(uuid == null ? RawValue.NULL : RawValue.ofUuid(uuid));
    out.type(TokenBytes.OBJECT);
    out.field(TokenBytes.typeOf(ElementType.STRING), "operationType").string(operationType);
    if (key != null) {
      out.field(TokenBytes.OBJECT, keyName).document(key);
    }
    return new ResumeToken(out.type(0).type(TokenBytes.END).toArray(), head);
  }

  private static TokenBytes begin(Head head) {
    return new TokenBytes()
        .timestamp(head.clusterTime)
        .integer(VERSION)
        .integer(head.highWaterMark ? 0 : EVENT)
        .integer(head.transactionIndex)
        .type(head.fromInvalidate ? TokenBytes.TRUE : TokenBytes.FALSE);
  }

  /** The place of the invalidate that follows this event. */
  public ResumeToken ofInvalidate() {
    var invalidate =
        new Head(head.clusterTime, head.highWaterMark, head.transactionIndex, true, head.hasUuid);
    byte[] copy = bytes.clone();
    copy[begin(head).toArray().length - 1] = (byte) TokenBytes.TRUE;
    return new ResumeToken(copy, invalidate);
  }

  /** The place of a part of this event, counted from 0. */
  public ResumeToken ofFragment(int number) {
    byte[] added = new TokenBytes().integer(number).type(TokenBytes.END).toArray();
    byte[] whole = Arrays.copyOf(bytes, bytes.length - 1 + added.length);
    System.arraycopy(added, 0, whole, bytes.length - 1, added.length);
    return new ResumeToken(whole, head);
  }

  public static ResumeToken parse(RawDocument document) {
    RawValue data = document.get(DATA);
    if (data == null || !data.isString()) {
      throw new CommandException(
          ErrorCode.RESUME_TOKEN_DATA,
          "Bad resume token: _data of missing or of wrong type. Expected string, got " + document);
    }
    RawValue typeBits = document.get("_typeBits");
    if (typeBits != null && typeBits.type() != ElementType.BINARY) {
      throw new CommandException(
          ErrorCode.RESUME_TOKEN_TYPE_BITS,
          "Bad resume token: _typeBits of wrong type " + document);
    }
    byte[] bytes;
    try {
      bytes = HEX.parseHex(data.asString());
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "resume token string was not a valid hex string");
    }
    return new ResumeToken(bytes, new Reader(bytes).head());
  }

  public long clusterTime() {
    return head.clusterTime;
  }

  public boolean isHighWaterMark() {
    return head.highWaterMark;
  }

  /** Whether it is of the event that ends a stream. */
  public boolean isFromInvalidate() {
    return head.fromInvalidate;
  }

  public boolean hasUuid() {
    return head.hasUuid;
  }

  /** The collection of the event; null for none. */
  public UUID uuid() {
    if (!head.hasUuid) {
      return null;
    }
    // Behind the beginning: the type, the length and the subtype.
    ByteBuffer in = ByteBuffer.wrap(bytes).position(begin(head).toArray().length + 3);
    return in.remaining() < 2 * Long.BYTES ? null : new UUID(in.getLong(), in.getLong());
  }

  /** Whether this is the place of a part of an event. */
  public boolean isFragmentOf(ResumeToken event) {
    int common = event.bytes.length - 1;
    return bytes.length > event.bytes.length
        && Arrays.equals(bytes, 0, common, event.bytes, 0, common);
  }

  public RawDocument toDocument() {
    return new BsonBuilder(bytes.length * 2 + 32)
        .appendString(DATA, HEX.formatHex(bytes))
        .toDocument();
  }

  @Override
  public int compareTo(ResumeToken other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResumeToken token && Arrays.equals(bytes, token.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "{_data: \"" + HEX.formatHex(bytes) + "\"}";
  }

  /** Reads the beginning of a token. */
  private static final class Reader {
    private final ByteBuffer in;

    Reader(byte[] bytes) {
      in = ByteBuffer.wrap(bytes);
    }

    Head head() {
      if (!in.hasRemaining()) {
        throw new CommandException(ErrorCode.RESUME_TOKEN_EMPTY, "invalid empty resume token");
      }
      require(next() == TokenBytes.TIMESTAMP && in.remaining() >= Long.BYTES);
      long clusterTime = in.getLong();
      if (integer() != VERSION) {
        throw new CommandException(
            ErrorCode.RESUME_TOKEN_VERSION, "Invalid Resume Token: only supports version 2");
      }
      long kind = integer();
      if (kind != 0 && kind != EVENT) {
        throw new CommandException(
            ErrorCode.RESUME_TOKEN_KIND, "Token type " + kind + " not recognized");
      }
      long transactionIndex = integer();
      int fromInvalidate = next();
      require(fromInvalidate == TokenBytes.TRUE || fromInvalidate == TokenBytes.FALSE);
      int uuid = next();
      require(uuid == TokenBytes.NULL || uuid == TokenBytes.BINARY);
      require(in.get(in.limit() - 1) == TokenBytes.END);
      return new Head(
          clusterTime,
          kind == 0,
          transactionIndex,
          fromInvalidate == TokenBytes.TRUE,
          uuid == TokenBytes.BINARY);
    }

    private int next() {
      require(in.hasRemaining());
      return Byte.toUnsignedInt(in.get());
    }

    /** A number that is not negative. */
    private long integer() {
      int bytes = next() - TokenBytes.ZERO - 1;
      require(bytes >= -1 && bytes != 0 && bytes <= Integer.BYTES && in.remaining() >= bytes);
      long shifted = 0;
      for (int i = 0; i < bytes; i++) {
        shifted = (shifted << Byte.SIZE) | next();
      }
      return shifted >> 1;
    }

    private static void require(boolean condition) {
      if (!condition) {
        throw new CommandException(
            ErrorCode.RESUME_TOKEN_MALFORMED, "the resume token is malformed");
      }
    }
  }
}
