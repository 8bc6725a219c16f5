package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** What is running on the shards, in the form that routers show it in. */
final class ShardOperations {
  private final ShardReports reports;

  ShardOperations(AllShards shards) {
    this.reports = new ShardReports(shards);
  }

  /**
   * @param options of {@code $currentOp}
   */
  List<RawDocument> list(OperationContext operation, RawDocument options) {
    return reports.ofEach(operation, "$currentOp", options, ShardOperations::ofShard);
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
