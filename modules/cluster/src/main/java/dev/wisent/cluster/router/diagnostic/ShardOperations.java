package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/** What is running on the shards, in the form that routers show it in. */
public final class ShardOperations {
  private final AllShards shards;

  public ShardOperations(AllShards shards) {
    this.shards = shards;
  }

  /**
   * @param options of {@code $currentOp}
   */
  public List<RawDocument> list(OperationContext operation, RawDocument options) {
    var command = new BsonBuilder();
    command.appendInt32("aggregate", 1).startArray("pipeline").startDocument(0);
    command.appendDocument("$currentOp", options).end().end();
    command.startDocument("cursor").end();
    RawDocument ask = command.toDocument();
    List<ShardRequest> requests =
        shards.names(operation).stream()
            .map(shard -> ShardRequest.read(shard, "admin", ask))
            .toList();
    var found = new ArrayList<RawDocument>();
    for (ShardReply reply : shards.calls().callAll(operation, requests)) {
      reply.get();
      addAll(operation, reply, found);
    }
    return found;
  }

  private void addAll(OperationContext operation, ShardReply reply, List<RawDocument> found) {
    try (var cursor =
        new RemoteCursor(shards.calls(), reply, operation, RemoteCursor.Tailing.NONE, 0)) {
      for (RawDocument each = cursor.peek(); each != null; each = cursor.peek()) {
        found.add(ofShard(each, reply.request().shard()));
        cursor.take();
      }
    }
  }

  /** With ids that {@code killOp} finds through a router. */
  private static RawDocument ofShard(RawDocument operation, String shard) {
    var out = new BsonBuilder(operation.length() + 64);
    out.appendString("shard", shard);
    ElementCursor fields = operation.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "opid" -> out.appendString("opid", shard + ":" + fields.value().toLong());
        case "client" -> out.append("client_s", fields.value());
        default -> out.appendElement(fields);
      }
    }
    return out.toDocument();
  }
}
