package dev.wisent.wire;

import dev.wisent.base.Limits;
import dev.wisent.bson.DocumentValidator;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;

/** The legacy query message, which drivers still use for their very first handshake. */
public record OpQuery(int flags, String namespace, RawDocument query) {
  private static final String COMMAND_COLLECTION = ".$cmd";

  /** Parses {@code message[0..length)}, header included. */
  public static OpQuery parse(byte[] message, int length) {
    int at = MessageHeader.BYTES + 4;
    int nameStart = at;
    while (at < length && message[at] != 0) {
      at++;
    }
    int queryStart = at + 1 + 8;
    int size = queryStart + 4 > length ? -1 : LittleEndian.int32(message, queryStart);
    if (size < 5 || size > length - queryStart) {
      throw new WireException("OP_QUERY is cut off");
    }
    String namespace = new String(message, nameStart, at - nameStart, StandardCharsets.UTF_8);
    DocumentValidator.validate(message, queryStart, size, Limits.NESTING_DEPTH_MAX_INTERNAL);
    return new OpQuery(
        LittleEndian.int32(message, MessageHeader.BYTES),
        namespace,
        new RawDocument(message, queryStart, size));
  }

  public boolean isCommand() {
    return namespace.endsWith(COMMAND_COLLECTION);
  }

  /** The database a command is for. */
  public String database() {
    int dot = namespace.indexOf('.');
    return dot < 0 ? namespace : namespace.substring(0, dot);
  }
}
