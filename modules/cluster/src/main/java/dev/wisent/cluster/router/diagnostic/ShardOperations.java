package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.server.privilege.Principal;
import java.util.List;

/** What is running on the shards, in the form that routers show it in. */
final class ShardOperations {
  private final ShardReports reports;

  ShardOperations(AllShards shards) {
    this.reports = new ShardReports(shards);
  }

  /**
   * @param options of {@code $currentOp}
   * @param onlyOf whose operations alone are shown; {@link Principal#UNRESTRICTED} for all
   */
  List<RawDocument> list(OperationContext operation, RawDocument options, Principal onlyOf) {
    List<RawDocument> all =
        reports.ofEach(operation, "$currentOp", options, ShardOperations::ofShard);
    return onlyOf.isRestricted() ? all.stream().filter(each -> isOf(onlyOf, each)).toList() : all;
  }

  /** Shards run all for this router: whose operation one is, its session tells. */
  private static boolean isOf(Principal principal, RawDocument operation) {
    RawValue session = operation.get("lsid");
    return session != null
        && session.isDocument()
        && SessionId.of(session.asDocument()).isOf(principal.sessionDigest());
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
