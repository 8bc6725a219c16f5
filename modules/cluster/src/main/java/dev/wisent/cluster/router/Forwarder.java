package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ShownCommand;
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
  private static final int SHOWN_BYTES_MAX = 4096;

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
    if (RoutedOperation.isStatement(context) && answer.body().get("writeErrors") != null) {
      context.writes().fail();
    }
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
        reads ? !Pipelines.writes(request.body()) : context.retryableWrite() != null;
    return calls.startForwarded(context, forwarded, hosts, repeatable).await(context);
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
    var remote = RemoteCursor.afterFirstBatch(calls, answer, Pipelines.tailing(request.body()));
    var origin =
        new CursorOrigin(
            ShownCommand.of(request.body(), request.name(), request.comment(), SHOWN_BYTES_MAX)
                .detached(),
            null,
            0);
    Namespace namespace = Namespace.parse(cursor.get("ns").asString());
    return request.isInTransaction()
        ? cursors.registerIn(request.transaction(), namespace, remote, request.sessionId(), origin)
        : cursors.register(
            namespace, remote, request.sessionId(), isTrue(request, "noCursorTimeout"), origin);
  }

  private static boolean isTrue(CommandRequest request, String field) {
    RawValue value = request.body().get(field);
    return value != null && value.isTruthy();
  }
}
