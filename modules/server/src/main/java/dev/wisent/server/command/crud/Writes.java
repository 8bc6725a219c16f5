package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.server.dispatch.ErrorLabels;
import dev.wisent.server.dispatch.ErrorReply;
import java.util.List;

/** What the write commands have in common: where statements come from, and how results are told. */
final class Writes {
  private Writes() {}

  /** The statements of a batch: a document sequence, or an array in the body. */
  static List<RawDocument> statements(
      CommandRequest request, String field, List<RawDocument> inBody) {
    List<RawDocument> sequence = request.sequence(field);
    if (sequence != null && inBody != null) {
      throw new CommandException(
          ErrorCode.IDL_DUPLICATE_FIELD,
          "BSON field '" + request.name() + "." + field + "' is a duplicate field");
    }
    List<RawDocument> statements = sequence != null ? sequence : inBody;
    if (statements == null) {
      throw ArgumentTypes.missing(request.name() + "." + field);
    }
    if (statements.isEmpty() || statements.size() > Limits.WRITE_BATCH_MAX) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH,
          "Write batch sizes must be between 1 and "
              + Limits.WRITE_BATCH_MAX
              + ". Got "
              + statements.size()
              + " operations.");
    }
    SessionArguments.checkStatementIds(request, statements.size());
    return statements;
  }

  /** Only one statement can be explained. */
  static void checkExplained(List<?> statements) {
    if (statements.size() != 1) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH, "explained write batches must be of size 1");
    }
  }

  /** Tells which statements were done before. */
  static void appendRetried(BsonBuilder reply, List<Integer> statementIds) {
    if (statementIds.isEmpty()) {
      return;
    }
    reply.startArray("retriedStmtIds");
    for (int i = 0; i < statementIds.size(); i++) {
      reply.appendInt32(Integer.toString(i), statementIds.get(i));
    }
    reply.end();
  }

  /**
   * The outcome of a write as its reply tells it. In a transaction a failure ends the transaction:
   * after one that the client may try again the command fails as a whole.
   */
  static WriteOutcome checked(
      WriteOutcome outcome, CommandRequest request, OperationContext operation) {
    if (request.isInTransaction() && !outcome.failures().isEmpty()) {
      CommandException error = outcome.failures().getFirst().error();
      if (ErrorLabels.isTransient(error)) {
        throw error;
      }
      operation.writes().fail(error.code());
    }
    return outcome;
  }

  /** What ends the reply of every write: the statements done before, and those that failed. */
  static void appendEnd(BsonBuilder reply, WriteOutcome outcome) {
    appendRetried(reply, outcome.retried());
    appendFailures(reply, outcome);
  }

  private static void appendFailures(BsonBuilder reply, WriteOutcome outcome) {
    if (outcome.failures().isEmpty()) {
      return;
    }
    reply.startArray("writeErrors");
    int position = 0;
    for (WriteOutcome.Failure failure : outcome.failures()) {
      reply.startDocument(position++);
      reply.appendInt32("index", failure.index());
      ErrorReply.appendWriteError(reply, failure.error());
      reply.end();
    }
    reply.end();
  }
}
