package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/** Documents that other nodes make of what they know. */
final class ShardReports {
  private final AllShards shards;

  ShardReports(AllShards shards) {
    this.shards = shards;
  }

  /** How a document of a shard is shown. */
  interface Naming {
    RawDocument named(RawDocument document, String shard);
  }

  /** What a stage of the database {@code admin} makes on each shard. */
  List<RawDocument> ofEach(
      OperationContext operation, String stage, RawDocument argument, Naming naming) {
    var command = new BsonBuilder();
    command.appendInt32("aggregate", 1).startArray("pipeline").startDocument(0);
    command.appendDocument(stage, argument).end().end();
    command.startDocument("cursor").end();
    RawDocument ask = command.toDocument();
    List<ShardRequest> requests =
        shards.names(operation).stream()
            .map(shard -> ShardRequest.read(shard, "admin", ask))
            .toList();
    var found = new ArrayList<RawDocument>();
    for (ShardReply reply : shards.calls().callAll(operation, requests)) {
      addAll(operation, reply, naming, found);
    }
    return found;
  }

  /** All documents of the cursor that a command opens. */
  List<RawDocument> of(OperationContext operation, ShardRequest request) {
    var found = new ArrayList<RawDocument>();
    ShardReply reply = shards.calls().exchange(operation, request);
    addAll(operation, reply, (document, shard) -> document, found);
    return found;
  }

  private void addAll(
      OperationContext operation, ShardReply reply, Naming naming, List<RawDocument> found) {
    reply.get();
    try (var cursor =
        new RemoteCursor(shards.calls(), reply, operation, RemoteCursor.Tailing.NONE, 0)) {
      for (RawDocument each = cursor.peek(); each != null; each = cursor.peek()) {
        found.add(naming.named(each, reply.request().shard()));
        cursor.take();
      }
    }
  }
}
