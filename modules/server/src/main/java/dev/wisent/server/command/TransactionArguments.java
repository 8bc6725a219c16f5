package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.Namespace;
import java.util.Set;

/** What a command of a transaction may be, and where it may read and write. */
public final class TransactionArguments {
  private static final Set<String> COLLECTIONS_OUTSIDE = Set.of("system.profile", "system.views");

  private TransactionArguments() {}

  /** Checks a request that has {@code autocommit} and a number. */
  static void check(CommandRequest request, CommandSpec spec) {
    if (request.autocommit()) {
      throw SessionArguments.invalid("Specifying autocommit=true is not allowed.");
    }
    if (request.startTransaction() != null && !request.startTransaction()) {
      throw SessionArguments.invalid("Specifying startTransaction=false is not allowed.");
    }
    if (request.sessionId().asDocument().get("txnUUID") != null
        || request.sessionId().asDocument().get("txnNumber") != null) {
      throw SessionArguments.invalid("Internal sessions are only allowed for internal clients");
    }
    TransactionUse use = spec.scope().transaction();
    if (use == TransactionUse.NO_TRANSACTION) {
      throw refused(cannotRun(spec));
    }
    if (use != TransactionUse.ENDS) {
      checkNamespace(Namespace.parse(request.namespaceText()));
    }
    if (request.startsTransaction()) {
      checkFirst(spec, use);
    }
    checkWriteConcern(request, spec, use);
  }

  private static String cannotRun(CommandSpec spec) {
    String message = "Cannot run '" + spec.name() + "' in a multi-document transaction.";
    return spec.name().equals("count")
        ? message
            + " Please see http://dochub.mongodb.org/core/transaction-count for a recommended"
            + " alternative."
        : message;
  }

  /** Whether a command is a statement of a transaction, and not its end. */
  public static boolean isStatement(CommandRequest request, CommandSpec spec) {
    return request.isInTransaction() && spec.scope().transaction() != TransactionUse.ENDS;
  }

  /** Fails for a collection that a transaction must leave alone. */
  public static void checkNamespace(Namespace namespace) {
    switch (namespace.database()) {
      case "local" ->
          throw refused("Cannot run command against the 'local' database in a transaction.");
      case "config" ->
          throw refused("Cannot run command against the config database in a transaction.");
      default -> {}
    }
    if (COLLECTIONS_OUTSIDE.contains(namespace.collection())) {
      throw refused(
          "Cannot run command against the '" + namespace + "' collection in a transaction.");
    }
  }

  private static void checkFirst(CommandSpec spec, TransactionUse use) {
    if (spec.name().equals("killCursors")) {
      throw refused(
          "Cannot run killCursors as the first operation in a multi-document transaction.");
    }
    if (use == TransactionUse.ENDS) {
      throw refused(
          spec.name().equals("commitTransaction")
              ? "Cannot start a transaction with a commit"
              : "Cannot start a transaction with an abort");
    }
  }

  private static void checkWriteConcern(
      CommandRequest request, CommandSpec spec, TransactionUse use) {
    if (use != TransactionUse.ENDS
        && spec.is(CommandTrait.WRITE_CONCERN)
        && request.writeConcern() != null
        && !request.writeConcern().isEmpty()) {
      throw SessionArguments.invalid(
          "writeConcern is not allowed within a multi-statement transaction");
    }
  }

  private static CommandException refused(String message) {
    return new CommandException(ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION, message);
  }
}
