package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import java.util.Set;

/**
 * Where a collection is, as one round of a write sees it.
 *
 * @param sharded null where all of it is on the primary shard of its database
 * @param database null where it is sharded
 */
record Placement(CollectionRouting sharded, DatabaseRouting database) {
  boolean isSharded() {
    return sharded != null;
  }

  String primaryShard() {
    return database.primaryShard();
  }

  /** The shards that have documents of it. */
  Set<String> shards() {
    return isSharded() ? sharded.table().shards() : Set.of(primaryShard());
  }

  /** The collation of requests that name none; null for the simple one. */
  Collation collation() {
    return isSharded() && !sharded.defaultCollation().isEmpty()
        ? Collation.parse(sharded.defaultCollation())
        : null;
  }

  /** The shard of a document. */
  String shardOf(RawDocument document) {
    return isSharded()
        ? sharded.table().shardOf(sharded.key().encodedKeyOf(document))
        : primaryShard();
  }

  /** Appends what tells a shard how a command was routed. */
  void appendVersions(BsonBuilder command, String shard) {
    if (isSharded()) {
      command.appendDocument("shardVersion", sharded.table().versionOf(shard).toDocument());
    } else {
      command.appendDocument("shardVersion", ChunkVersion.UNSHARDED.toDocument());
      command.appendDocument("databaseVersion", database.version().toDocument());
    }
  }
}
