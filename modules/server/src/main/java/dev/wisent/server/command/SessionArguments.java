package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** Session and transaction arguments as a standalone node takes them. */
final class SessionArguments {
  private static final byte UUID_SUBTYPE = 4;
  private static final int UUID_BYTES = 16;
  private static final int BINARY_PREFIX_BYTES = 5;

  private SessionArguments() {}

  static void check(CommandRequest request) {
    if (request.transactionNumber() == null) {
      if (request.autocommit() != null || request.startTransaction()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "Transaction number required for a transaction");
      }
      return;
    }
    if (request.sessionId() == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Transaction number requires a session ID to also be specified");
    }
    throw new CommandException(
        ErrorCode.ILLEGAL_OPERATION,
        "Transaction numbers are only allowed on a replica set member or mongos");
  }

  /** An {@code lsid}: a document with a UUID, and perhaps what routers and users add to it. */
  static RawValue checkedId(String path, RawValue value) {
    ArgumentTypes.document(path, value);
    RawValue id = null;
    ArgumentReader fields = ArgumentReader.of(path, value.asDocument());
    while (fields.next()) {
      switch (fields.name()) {
        case "id" -> id = fields.value();
        case "uid", "txnNumber", "txnUUID", "stmtId" -> {}
        default -> fields.unknown();
      }
    }
    if (id == null) {
      throw ArgumentTypes.missing(path + ".id");
    }
    if (id.type() != ElementType.BINARY) {
      throw ArgumentTypes.wrongType(path + ".id", id.type(), "binData");
    }
    if (id.bytes()[id.offset() + 4] != UUID_SUBTYPE
        || id.length() != BINARY_PREFIX_BYTES + UUID_BYTES) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '" + path + ".id' is not a UUID, which is what a session has for its id");
    }
    return value;
  }

  static Long checkedNumber(String path, RawValue value) {
    if (value.type() != ElementType.INT64) {
      throw ArgumentTypes.wrongType(path, value.type(), "long");
    }
    return value.asInt64();
  }
}
