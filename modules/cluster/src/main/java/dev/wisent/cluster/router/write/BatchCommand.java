package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import java.util.function.IntUnaryOperator;

/** The body of a command that executes statements of a batch, without the statements. */
final class BatchCommand {
  private BatchCommand() {}

  /** For one statement. */
  static RawDocument ofOne(StatementBatch batch, int index, OperationContext operation) {
    return of(batch, 1, position -> index, operation);
  }

  static RawDocument of(StatementBatch batch, ShardBatch part, OperationContext operation) {
    RawDocument command = of(batch, part.size(), part::indexAt, operation);
    return part.rest().isAll() ? command : restricted(command, part.rest());
  }

  private static RawDocument restricted(RawDocument command, StatementRest rest) {
    var out = new BsonBuilder(command.length() + 256).appendAll(command);
    out.startDocument("routing");
    rest.append(out);
    return out.end().toDocument();
  }

  private static RawDocument of(
      StatementBatch batch, int count, IntUnaryOperator indexAt, OperationContext operation) {
    var out = new BsonBuilder(256);
    out.appendString(batch.command(), batch.namespace().collection());
    out.appendBoolean("ordered", batch.ordered());
    if (batch.bypassValidation()) {
      out.appendBoolean("bypassDocumentValidation", true);
    }
    if (operation.writes().keepEmptyTimestamps()) {
      out.appendBoolean("bypassEmptyTsReplacement", true);
    }
    if (batch.hasVariables() && !operation.let().isEmpty()) {
      out.appendDocument("let", operation.let());
    }
    RetryableWrite write = operation.retryableWrite();
    if (write != null) {
      out.startArray("stmtIds");
      for (int i = 0; i < count; i++) {
        out.appendInt32(Integer.toString(i), write.statementId(indexAt.applyAsInt(i)));
      }
      out.end();
    }
    return out.toDocument();
  }
}
