package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.router.ShardRequest.Purpose;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.cursor.CursorOrigin;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.wire.client.HostSelector;
import java.util.Set;

/** Passes a client's command on to one shard as it came, and the reply back. */
final class Forwarding {
  /** What each node adds to its replies by itself. */
  private static final Set<String> OF_EVERY_REPLY =
      Set.of("ok", "$clusterTime", "operationTime", "electionId", "opTime", "topologyVersion");

  private final NodeShardCalls calls;
  private final CursorRegistry cursors;

  Forwarding(NodeShardCalls calls, CursorRegistry cursors) {
    this.calls = calls;
    this.cursors = cursors;
  }

  /**
   * @param versions what the request was routed with; empty for none
   */
  void run(RunningOperation operation, String shard, RawDocument versions, BsonBuilder reply) {
    CommandRequest request = operation.request();
    OperationContext context = operation.context();
    boolean read = operation.spec().kind() == CommandKind.READ;
    boolean anyMember = operation.spec().runsOn() != RunsOn.PRIMARY;
    HostSelector hosts = anyMember ? RoutedOperation.of(context).readers() : HostSelector.primary();
    var call =
        new ShardRequest(
            shard,
            request.body().get("$db") == null ? request.database() : null,
            CallBody.forwarded(context, request.body(), versions),
            request.sequences(),
            read ? Purpose.READ : Purpose.WRITE,
            hosts,
            null);
    boolean repeatable = read ? !writes(request) : request.transactionNumber() != null;
    ShardReply answer = calls.startForwarded(context, call, hosts, repeatable).await(context);
    append(operation, answer, answer.get(), reply);
  }

  /** Whether a pipeline or a mapReduce writes its result. */
  private static boolean writes(CommandRequest request) {
    return request.name().equalsIgnoreCase("mapReduce") || Pipelines.writes(request.body());
  }

  private void append(
      RunningOperation operation, ShardReply answer, RawDocument body, BsonBuilder reply) {
    ElementCursor fields = body.elements();
    while (fields.next()) {
      if (fields.name().equals("cursor") && isOpen(fields.value())) {
        appendCursor(operation, answer, fields.value().asDocument(), reply);
      } else if (!OF_EVERY_REPLY.contains(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }

  private static boolean isOpen(RawValue cursor) {
    RawValue id = cursor.isDocument() ? cursor.asDocument().get("id") : null;
    return id != null && id.isNumber() && id.toLong() != 0;
  }

  /** The cursor gets an id of this router. */
  private void appendCursor(
      RunningOperation operation, ShardReply answer, RawDocument cursor, BsonBuilder reply) {
    CommandRequest request = operation.request();
    var remote = RemoteCursor.afterFirstBatch(calls, answer, Pipelines.tailing(request.body()));
    RawValue noTimeout = request.body().get("noCursorTimeout");
    long id =
        cursors
            .register(
                Namespace.parse(cursor.get("ns").asString()),
                remote,
                request.sessionId(),
                noTimeout != null && noTimeout.isTruthy(),
                new CursorOrigin(request.commandDocument(), null, 0))
            .id();
    reply.startDocument("cursor");
    ElementCursor fields = cursor.elements();
    while (fields.next()) {
      if (fields.name().equals("id")) {
        reply.appendInt64("id", id);
      } else {
        reply.appendElement(fields);
      }
    }
    reply.end();
  }
}
