package dev.wisent.cluster.router.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/** {@code $shardedDataDistribution}: how much of each sharded collection every shard has. */
final class DataDistribution {
  private static final RawDocument COLLECTIONS =
      RawDocument.parse(
          "{find: 'collections', filter: {unsplittable: {$ne: true}}, projection: {_id: 1},"
              + " sort: {_id: 1}}");
  private static final RawDocument SIZES = RawDocument.parse("{storageStats: {}}");

  private final AllShards shards;
  private final ShardReports reports;

  DataDistribution(AllShards shards) {
    this.shards = shards;
    this.reports = new ShardReports(shards);
  }

  /** A document for each sharded collection, in the order of their names. */
  List<RawDocument> list(OperationContext operation) {
    List<String> names = shards.names(operation);
    var found = new ArrayList<RawDocument>();
    for (RawDocument collection :
        reports.of(operation, ShardRequest.control(ShardCalls.CONFIG, "config", COLLECTIONS))) {
      Namespace namespace = Namespace.parse(collection.get("_id").asString());
      RawDocument of = ofCollection(operation, names, namespace);
      if (of != null) {
        found.add(of);
      }
    }
    return found;
  }

  /** Null where no shard has the collection: it was dropped meanwhile. */
  private RawDocument ofCollection(
      OperationContext operation, List<String> names, Namespace namespace) {
    var command = new BsonBuilder();
    command.appendString("aggregate", namespace.collection()).startArray("pipeline");
    command.startDocument(0).appendDocument("$collStats", SIZES).end().end();
    command.startDocument("cursor").end();
    RawDocument ask = command.toDocument();
    var out = new BsonBuilder().appendString("ns", namespace.full()).startArray("shards");
    int index = 0;
    for (ShardReply reply : shards.call(operation, names, namespace.database(), ask)) {
      if (!isMissing(reply.error())) {
        append(reply, out.startDocument(index++));
        out.end();
      }
    }
    return index == 0 ? null : out.end().toDocument();
  }

  private static boolean isMissing(CommandException error) {
    return error != null && error.code() == ErrorCode.NAMESPACE_NOT_FOUND;
  }

  private static void append(ShardReply reply, BsonBuilder out) {
    RawDocument figures =
        reply
            .get()
            .get("cursor")
            .asDocument()
            .get("firstBatch")
            .asDocument()
            .get("0")
            .asDocument()
            .get("storageStats")
            .asDocument();
    long orphans = number(figures, "numOrphanDocs");
    long documents = number(figures, "count");
    long bytes = number(figures, "size");
    long ofOrphans = documents == 0 ? 0 : bytes / documents * orphans;
    out.appendString("shardName", reply.request().shard());
    out.appendInt64("numOrphanedDocs", orphans);
    out.appendInt64("numOwnedDocuments", documents - orphans);
    out.appendInt64("ownedSizeBytes", bytes - ofOrphans);
    out.appendInt64("orphanedSizeBytes", ofOrphans);
  }

  private static long number(RawDocument figures, String name) {
    RawValue value = figures.get(name);
    return value == null ? 0 : value.toLong();
  }
}
