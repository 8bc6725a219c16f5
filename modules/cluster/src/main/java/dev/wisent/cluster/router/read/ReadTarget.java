package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardRequest;

/**
 * A shard that a read concerns.
 *
 * @param versions {@code shardVersion} and, where it is needed, {@code databaseVersion}
 */
record ReadTarget(String shard, RawDocument versions) {
  /** A command of the read for this shard. */
  ShardRequest request(String database, RawDocument command) {
    return ShardRequest.read(shard, database, versioned(command));
  }

  RawDocument versioned(RawDocument command) {
    return new BsonBuilder(command.length() + versions.length())
        .appendAll(command)
        .appendAll(versions)
        .toDocument();
  }
}
