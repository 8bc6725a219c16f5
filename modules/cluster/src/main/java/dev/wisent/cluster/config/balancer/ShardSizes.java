package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionDocument;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much data shards have, as they answer {@code _shardsvrGetStatsForBalancing}: counters that
 * every shard keeps, so that no data is read.
 */
final class ShardSizes {
  /** So many collections in one request. */
  private static final int COLLECTIONS_MAX = 1000;

  private static final Duration PRIMARY_MAX = Duration.ofSeconds(2);

  /** By shard, for those that have answered: the bytes of each collection. */
  private final Map<String, Map<String, Long>> bytes = new HashMap<>();

  private final Map<String, Long> totals = new HashMap<>();

  private ShardSizes() {}

  /** Asks all shards at once. One that does not answer soon is left out. */
  static ShardSizes ask(
      OperationContext operation,
      ShardCaller shards,
      List<RawDocument> all,
      List<CollectionDocument> collections) {
    var sizes = new ShardSizes();
    for (int from = 0; from == 0 || from < collections.size(); from += COLLECTIONS_MAX) {
      int to = Math.min(collections.size(), from + COLLECTIONS_MAX);
      Map<String, RawDocument> replies =
          shards.ask(operation, all, "admin", command(collections.subList(from, to)), PRIMARY_MAX);
      replies.forEach(sizes::add);
      if (from > 0) {
        sizes.bytes.keySet().retainAll(replies.keySet());
      }
    }
    return sizes;
  }

  private static RawDocument command(List<CollectionDocument> collections) {
    var command = new BsonBuilder();
    command.appendInt32("_shardsvrGetStatsForBalancing", 1).startArray("collections");
    for (int i = 0; i < collections.size(); i++) {
      command.startDocument(i).appendString("ns", collections.get(i).namespace().full());
      command.appendUuid("UUID", collections.get(i).uuid()).end();
    }
    return command.end().appendInt32("scaleFactor", 1).toDocument();
  }

  private void add(String shard, RawDocument reply) {
    Map<String, Long> of = bytes.computeIfAbsent(shard, name -> new HashMap<>());
    for (RawDocument each : DocumentFields.documents(reply, "stats")) {
      of.put(DocumentFields.text(each, "ns"), DocumentFields.number(each, "collSize"));
    }
    totals.put(shard, DocumentFields.number(reply, "totalSize"));
  }

  /** The shards that have answered. */
  Set<String> answered() {
    return bytes.keySet();
  }

  long total(String shard) {
    return totals.getOrDefault(shard, 0L);
  }

  /** Zero where the shard has not answered. */
  long bytes(String shard, String namespace) {
    return bytes.getOrDefault(shard, Map.of()).getOrDefault(namespace, 0L);
  }
}
