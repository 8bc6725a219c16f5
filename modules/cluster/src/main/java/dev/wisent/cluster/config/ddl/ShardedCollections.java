package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;

/** The sharded collections that coordinators are about, and the shards that they concern. */
final class ShardedCollections {
  private final CatalogReads catalog;
  private final Participants participants;

  ShardedCollections(DdlParts parts) {
    this.catalog = parts.catalog();
    this.participants = parts.participants();
  }

  /** The collection that a coordinator is about; fails where it is not sharded. */
  CollectionDocument require(PhaseContext context) {
    return catalog.requireSharded(context.operation(), context.resource());
  }

  /** Those that have chunks, and last the primary of the database; in the same order each time. */
  List<String> shards(PhaseContext context) {
    var shards = new ArrayList<>(catalog.participants(context.operation(), require(context)));
    String primary = shards.removeLast();
    shards.sort(null);
    shards.add(primary);
    return shards;
  }

  /** What a shard is told as the one whose changes are events of change streams, or another. */
  Participants participants(PhaseContext context, String shard) {
    String database = Namespace.parse(context.resource()).database();
    return participants.telling(shard.equals(catalog.primaryOf(context.operation(), database)));
  }

  /** Fails where one of them does not answer. */
  void requireAnswers(PhaseContext context) {
    participants.requireAnswers(context, catalog.shards(context.operation(), shards(context)));
  }

  /** Those of all other shards that answer now: they may have the collection, without chunks. */
  List<String> answeringOthers(PhaseContext context) {
    var others = new ArrayList<>(catalog.shardNames(context.operation()));
    others.removeAll(shards(context));
    return participants.answering(context, catalog.shards(context.operation(), others));
  }

  boolean isShard(PhaseContext context, String name) {
    return catalog.shardNames(context.operation()).contains(name);
  }

  /** Sends a shard a client's command. */
  RawDocument run(PhaseContext context, String command, String shard, RawDocument arguments) {
    Namespace namespace = Namespace.parse(context.resource());
    return participants(context, shard)
        .write(
            context,
            shard,
            namespace.database(),
            out -> out.appendString(command, namespace.collection()).appendAll(arguments));
  }

  /** What the shards have said, as clients see it. */
  static RawDocument raw(PhaseContext context) {
    return new BsonBuilder().append("raw", context.data().get("raw")).toDocument();
  }
}
