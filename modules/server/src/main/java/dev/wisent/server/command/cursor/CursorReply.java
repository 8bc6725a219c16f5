package dev.wisent.server.command.cursor;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorOrigin;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;

/** The first reply of a cursor: {@code cursor: {firstBatch, id, ns}}. */
public final class CursorReply {
  private final CursorRegistry cursors;
  private final CommandRequest request;
  private ResultCursor results;
  private long batchMax;
  private boolean single;
  private boolean noTimeout;
  private String doing;
  private ReadPoint state;
  private OperationContext operation;

  public CursorReply(CursorRegistry cursors, CommandRequest request) {
    this.cursors = cursors;
    this.request = request;
  }

  public CursorReply first(
      ResultCursor from, long documentsMax, boolean singleBatch, boolean neverTimesOut) {
    results = from;
    batchMax = documentsMax;
    single = singleBatch;
    noTimeout = neverTimesOut;
    return this;
  }

  /** What errors of reading the first batch are said to have happened during. */
  public CursorReply during(String what) {
    doing = what;
    return this;
  }

  /**
   * Has the cursor go on in the state that the operation reads, if it is not the newest. In a
   * transaction each command has that state from the transaction.
   */
  public CursorReply in(OperationContext operation) {
    state = request.isInTransaction() ? null : operation.readPoint();
    this.operation = operation;
    return this;
  }

  /**
   * Writes the batch; the cursor is closed if that was all, and registered otherwise.
   *
   * @return how many documents were written
   */
  public int write(Namespace namespace, BsonBuilder reply) {
    boolean keep = false;
    try {
      reply.startDocument("cursor");
      int count = BatchWriter.write("firstBatch", results, batchMax, doing, reply);
      long id = 0;
      if (!single && isOpen()) {
        results.detach();
        if (state != null) {
          results = new SnapshotCursor(results, state.share());
        }
        String planSummary = operation == null ? null : operation.planSummary();
        id = register(namespace, CursorOrigin.of(request, planSummary, count)).id();
        keep = true;
      }
      appendState(results, reply);
      reply.appendInt64("id", id);
      reply.appendString("ns", namespace.full());
      if (state != null) {
        reply.appendTimestamp("atClusterTime", state.timestamp());
      }
      reply.end();
      return count;
    } finally {
      if (!keep) {
        results.close();
      }
    }
  }

  private OpenCursor register(Namespace namespace, CursorOrigin origin) {
    return request.isInTransaction()
        ? cursors.registerIn(request.transaction(), namespace, results, request.sessionId(), origin)
        : cursors.register(namespace, results, request.sessionId(), noTimeout, origin);
  }

  /** Writes where a change stream goes on after a batch, and whether documents are missing. */
  public static void appendState(ResultCursor results, BsonBuilder reply) {
    if (results.isPartial()) {
      reply.appendBoolean("partialResultsReturned", true);
    }
    RawDocument token = results.postBatchResumeToken();
    if (token != null) {
      reply.appendDocument("postBatchResumeToken", token);
    }
  }

  /**
   * A full batch does not look ahead: as in MongoDB the cursor then stays open, and an empty
   * getMore ends it, unless the limit is reached.
   */
  private boolean isOpen() {
    return !results.isExhausted();
  }
}
