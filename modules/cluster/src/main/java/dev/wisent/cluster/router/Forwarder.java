package dev.wisent.cluster.router;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorOrigin;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.wire.client.HostSelector;

/**
 * Sends a client's command to one shard as it came, and its reply back. A cursor of the shard gets
 * an id of this router.
 */
final class Forwarder {
  private static final RawDocument DONE = new BsonBuilder().appendDouble("ok", 1).toDocument();

  private final NodeShardCalls calls;
  private final CursorRegistry cursors;

  Forwarder(NodeShardCalls calls, CursorRegistry cursors) {
    this.calls = calls;
    this.cursors = cursors;
  }

  /**
   * @param versions fields to add to the command
   */
  void forward(RunningOperation operation, String shard, RawDocument versions, BsonBuilder reply) {
    ShardReply answer = send(operation, shard, versions);
    append(operation, answer, reply);
    OperationContext context = operation.context();
    RawValue errors = answer.body().get("writeErrors");
    if (RoutedOperation.isStatement(context) && errors != null) {
      context.writes().fail(firstOf(errors));
    }
  }

  private static ErrorCode firstOf(RawValue writeErrors) {
    ElementCursor errors = writeErrors.elements();
    return errors.next()
        ? ErrorCode.ofNumber(errors.value().asDocument().get("code").asInt32())
        : ErrorCode.UNKNOWN_ERROR;
  }

  /** Sends a client's command; the reply may be an error. */
  ShardReply send(RunningOperation operation, String shard, RawDocument versions) {
    CommandRequest request = operation.request();
    OperationContext context = operation.context();
    boolean reads =
        operation.spec().kind() == CommandKind.READ
            && !request.isInTransaction()
            && !operation.spec().name().equals("mapReduce");
    RoutedOperation routed = RoutedOperation.of(context);
    HostSelector hosts = reads ? routed.readers() : HostSelector.primary();
    var forwarded =
        new ShardRequest(
            shard,
            request.body().get("$db") == null ? request.database() : null,
            CallBody.forwarded(context, shard, request.body(), versions),
            request.sequences(),
            reads ? Purpose.READ : Purpose.WRITE,
            hosts,
            null);
    boolean repeatable =
        reads
            ? !Pipelines.writes(request.body())
            : context.retryableWrite() != null || isRepeatedDefinition(operation);
    ShardCall call = calls.startForwarded(context, forwarded, hosts, repeatable);
    ShardReply answer = call.await(context);
    return call.isRepeated() && isDroppedBefore(operation.spec().name(), answer)
        ? new ShardReply(forwarded, answer.host(), DONE, null)
        : answer;
  }

  private static boolean isRepeatedDefinition(RunningOperation operation) {
    return Routes.isRepeatedDefinition(operation.spec().name())
        && !operation.request().isInTransaction();
  }

  /** Whether an attempt that was interrupted has dropped what is not found now. */
  private static boolean isDroppedBefore(String command, ShardReply answer) {
    ErrorCode missing =
        switch (command) {
          case "drop" -> ErrorCode.NAMESPACE_NOT_FOUND;
          case "dropIndexes" -> ErrorCode.INDEX_NOT_FOUND;
          default -> null;
        };
    return missing != null && !answer.isOk() && answer.error().code() == missing;
  }

  /** Appends a shard's reply to the client's; throws its error. */
  void append(RunningOperation operation, ShardReply answer, BsonBuilder reply) {
    ElementCursor fields = answer.get().elements();
    while (fields.next()) {
      if (fields.name().equals("cursor") && fields.value().isDocument()) {
        appendCursor(operation, answer, fields.value().asDocument(), reply);
      } else if (isForClient(fields.name(), operation)) {
        reply.appendElement(fields);
      }
    }
  }

  /** Shards tell routers whether they have written in a transaction. */
  private static boolean isForClient(String field, RunningOperation operation) {
    return !ShardReply.isOfTheNode(field)
        && !(field.equals("readOnly") && RoutedOperation.isStatement(operation.context()));
  }

  private void appendCursor(
      RunningOperation operation, ShardReply answer, RawDocument cursor, BsonBuilder reply) {
    RawValue id = cursor.get("id");
    if (id == null || id.toLong() == 0) {
      reply.appendDocument("cursor", cursor);
      return;
    }
    long own = register(operation, answer, cursor).id();
    reply.startDocument("cursor");
    ElementCursor fields = cursor.elements();
    while (fields.next()) {
      if (fields.name().equals("id")) {
        reply.appendInt64("id", own);
      } else {
        reply.appendElement(fields);
      }
    }
    reply.end();
  }

  private OpenCursor register(RunningOperation operation, ShardReply answer, RawDocument cursor) {
    CommandRequest request = operation.request();
    var remote =
        RemoteCursor.afterFirstBatch(
            calls, answer, Pipelines.tailing(request.body()), batchSize(request.body()));
    var origin = CursorOrigin.of(request, null, count(cursor.get("firstBatch")));
    Namespace namespace = Namespace.parse(cursor.get("ns").asString());
    return request.isInTransaction()
        ? cursors.registerIn(request.transaction(), namespace, remote, request.sessionId(), origin)
        : cursors.register(
            namespace, remote, request.sessionId(), isTrue(request, "noCursorTimeout"), origin);
  }

  /** What the client's batches have, so that no more of them waits here; 0 for no matter. */
  private static long batchSize(RawDocument command) {
    RawValue options = command.get("cursor");
    RawDocument holder = options != null && options.isDocument() ? options.asDocument() : command;
    RawValue size = holder.get("batchSize");
    return size != null && size.isNumber() ? Math.max(0, size.toLong()) : 0;
  }

  private static long count(RawValue batch) {
    long count = 0;
    if (batch != null && batch.isArray()) {
      for (ElementCursor documents = batch.elements(); documents.next(); ) {
        count++;
      }
    }
    return count;
  }

  private static boolean isTrue(CommandRequest request, String field) {
    RawValue value = request.body().get(field);
    return value != null && value.isTruthy();
  }
}
