package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.cursor.BatchWriter;
import dev.wisent.server.command.cursor.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import dev.wisent.server.metrics.DocumentCounts;
import java.util.Objects;

/** {@code getMore}: the next batch of an open cursor. */
public final class GetMoreCommand implements Command {
  private static final long AWAIT_MILLIS_DEFAULT = 1000;
  private static final String DOING = "Executor error during getMore";

  private final CursorRegistry cursors;
  private final DocumentCounts counts;

  public GetMoreCommand(CursorRegistry cursors, DocumentCounts counts) {
    this.cursors = cursors;
    this.counts = counts;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue id = request.argument();
    if (id.type() != ElementType.INT64) {
      throw ArgumentTypes.wrongType("getMore.getMore", id.type(), "long");
    }
    String collection = null;
    long batchSize = 0;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "collection" -> collection = reader.string();
        case "batchSize" -> batchSize = reader.nonNegative();
        case "term", "lastKnownCommittedOpTime" -> reader.value();
        default -> reader.unknown();
      }
    }
    if (collection == null) {
      throw ArgumentTypes.missing("getMore.collection");
    }
    var namespace = new Namespace(request.database(), collection);
    OpenCursor cursor =
        cursors.take(id.asInt64(), namespace, request.sessionId(), context.operation());
    if (cursor.results().isChangeStream()) {
      request.readsChangeStream();
    }
    // A request that is refused leaves the cursor as it was; an error while reading ends it.
    boolean done = false;
    try {
      checkTransaction(request.transaction(), cursor);
      checkMaxTime(request, cursor);
      done = true;
      done = fill(cursor, request, context.operation(), batchSize, reply);
      if (!done) {
        request.continueAfterReply();
      }
    } finally {
      cursors.giveBack(cursor, done);
    }
  }

  /** The session is the same, so that the number tells one transaction from another. */
  private static void checkTransaction(TransactionId current, OpenCursor cursor) {
    TransactionId opened = cursor.transaction();
    if (Objects.equals(current, opened)) {
      return;
    }
    String prefix = "Cannot run getMore on cursor " + cursor.id() + ", which was ";
    if (opened == null) {
      throw new CommandException(
          ErrorCode.CURSOR_NOT_OF_TRANSACTION,
          prefix + "not created in a transaction, in transaction " + current.number());
    }
    prefix += "created in transaction " + opened.number();
    throw current == null
        ? new CommandException(ErrorCode.CURSOR_OF_TRANSACTION, prefix + ", without a txnNumber")
        : new CommandException(
            ErrorCode.CURSOR_OF_OTHER_TRANSACTION, prefix + ", in transaction " + current.number());
  }

  private static void checkMaxTime(CommandRequest request, OpenCursor cursor) {
    if (request.maxTimeMillis() > 0 && !cursor.results().awaitsData()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
    }
  }

  private boolean fill(
      OpenCursor cursor,
      CommandRequest request,
      OperationContext operation,
      long batchSize,
      BsonBuilder reply) {
    ResultCursor results = cursor.results();
    results.attach(operation);
    if (results.awaitsData() && results.peek() == null && !results.isExhausted()) {
      long wait = request.maxTimeMillis() > 0 ? request.maxTimeMillis() : AWAIT_MILLIS_DEFAULT;
      long start = operation.clock().monotonicNanos();
      results.awaitMore(wait);
      operation.paused(operation.clock().monotonicNanos() - start);
    }
    reply.startDocument("cursor");
    long max = batchSize == 0 ? Long.MAX_VALUE : batchSize;
    int returned = BatchWriter.write("nextBatch", results, max, DOING, reply);
    counts.addReturned(returned);
    cursor.returned(returned);
    boolean done = results.isExhausted() || cursors.isKilled(cursor);
    if (!done) {
      results.detach();
    }
    CursorReply.appendState(results, reply);
    reply.appendInt64("id", done ? 0 : cursor.id());
    reply.appendString("ns", cursor.namespace().full());
    reply.end();
    return done;
  }
}
