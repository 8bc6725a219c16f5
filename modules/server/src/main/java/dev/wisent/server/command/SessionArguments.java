package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.privilege.Principal;

/** Session and transaction arguments: which are allowed with what, and what they say. */
public final class SessionArguments {

  private SessionArguments() {}

  /** Refuses numbers of transactions where they have no meaning. */
  public static void check(CommandRequest request, CommandSpec spec, boolean replicated) {
    Long number = request.transactionNumber();
    if (number != null) {
      checkNumber(request, number, replicated);
    } else if (request.autocommit() != null) {
      throw invalid("'autocommit' field requires a transaction number to also be specified");
    }
    if (request.autocommit() == null && request.startTransaction() != null) {
      throw invalid("'startTransaction' field requires 'autocommit' field to also be specified");
    }
    if (request.autocommit() != null) {
      TransactionArguments.check(request, spec);
    } else if (number != null) {
      checkRetryable(request, spec);
    }
  }

  private static void checkNumber(CommandRequest request, long number, boolean replicated) {
    if (request.session() == null) {
      throw invalid("Transaction number requires a session ID to also be specified");
    }
    if (!replicated) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Transaction numbers are only allowed on a replica set member or mongos");
    }
    if (number < 0) {
      throw invalid("Transaction number cannot be negative");
    }
  }

  private static void checkRetryable(CommandRequest request, CommandSpec spec) {
    if (!spec.is(CommandTrait.RETRYABLE_WRITE)) {
      throw new CommandException(
          ErrorCode.NOT_A_RETRYABLE_WRITE_COMMAND,
          "txnNumber may only be provided for multi-document transactions and retryable write"
              + " commands. autocommit:false was not provided, and "
              + spec.name()
              + " is not a retryable write command.");
    }
    if (request.sessionId().asDocument().get("txnUUID") != null
        || request.sessionId().asDocument().get("txnNumber") != null) {
      throw invalid("Internal sessions are not supported outside of transactions");
    }
  }

  static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }

  /** The write that a request with a transaction number is; it has been checked. */
  public static RetryableWrite retryableWrite(CommandRequest request) {
    return new RetryableWrite(
        request.session(), request.transactionNumber(), statementIds(request));
  }

  private static StatementIds statementIds(CommandRequest request) {
    RawValue given = request.body().get("stmtIds");
    if (given != null && !given.isNullish()) {
      if (request.statementId() != null) {
        throw invalid("May not specify both stmtId and stmtIds in write command");
      }
      return StatementIds.of(statements(request.name() + ".stmtIds", given));
    }
    return request.statementId() == null
        ? StatementIds.IN_ORDER
        : StatementIds.from(request.statementId());
  }

  private static int[] statements(String path, RawValue given) {
    var ids = new int[ArgumentTypes.array(path, given).fieldCount()];
    ElementCursor elements = given.elements();
    for (int i = 0; elements.next(); i++) {
      ids[i] = checkedStatement(path + "." + elements.name(), elements.value());
    }
    return ids;
  }

  /** Statements that are numbered one by one must all be. */
  public static void checkStatementIds(CommandRequest request, int statements) {
    if (request.transactionNumber() == null) {
      return;
    }
    RawValue given = request.body().get("stmtIds");
    if (given != null && given.isArray() && given.asDocument().fieldCount() != statements) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH,
          "Number of statement ids must match the number of batch entries. Got "
              + given.asDocument().fieldCount()
              + " statement ids but "
              + statements
              + " operations.");
    }
  }

  /** An {@code lsid}: a document with a UUID, and perhaps what routers and users add to it. */
  public static SessionId checkedId(String path, RawValue value) {
    ArgumentTypes.document(path, value);
    RawValue id = null;
    RawValue uid = null;
    ArgumentReader fields = ArgumentReader.of(path, value.asDocument());
    while (fields.next()) {
      switch (fields.name()) {
        case "id" -> id = fields.value();
        case "uid" -> uid = fields.value();
        case "txnNumber", "txnUUID", "stmtId" -> {}
        default -> fields.unknown();
      }
    }
    if (id == null) {
      throw ArgumentTypes.missing(path + ".id");
    }
    checkBinary(path + ".id", id);
    if (!id.isUuid()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '" + path + ".id' is not a UUID, which is what a session has for its id");
    }
    if (uid != null) {
      checkBinary(path + ".uid", uid);
    }
    return SessionId.of(id, uid);
  }

  /**
   * The session of this UUID that belongs to the one that a command runs for. Only other nodes, and
   * who may stand in for other users, say whose it is.
   */
  public static SessionId owned(SessionId given, Principal principal) {
    byte[] digest = principal.sessionDigest();
    if (digest == null || given.isOf(digest)) {
      return given;
    }
    if (!given.hasUser()) {
      return given.withUser(digest);
    }
    if (principal.onCluster(Action.IMPERSONATE)) {
      return given;
    }
    throw new CommandException(
        ErrorCode.UNAUTHORIZED, "Unauthorized to set user digest in LogicalSessionId");
  }

  private static void checkBinary(String path, RawValue value) {
    if (value.type() != ElementType.BINARY) {
      throw ArgumentTypes.wrongType(path, value.type(), "binData");
    }
  }

  static Long checkedNumber(String path, RawValue value) {
    if (value.type() != ElementType.INT64) {
      throw ArgumentTypes.wrongType(path, value.type(), "long");
    }
    return value.asInt64();
  }

  static Integer checkedStatement(String path, RawValue value) {
    if (value.type() != ElementType.INT32) {
      throw ArgumentTypes.wrongType(path, value.type(), "int");
    }
    return value.asInt32();
  }
}
