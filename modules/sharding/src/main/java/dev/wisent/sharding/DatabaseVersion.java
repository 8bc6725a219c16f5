package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.UUID;

/**
 * The version of a database's primary shard.
 *
 * @param uuid of the database since it was created
 * @param timestamp when it was created, as a cluster time
 * @param lastMod raised whenever another shard becomes primary
 */
public record DatabaseVersion(UUID uuid, long timestamp, int lastMod) {
  /** Appends it as a command's {@code databaseVersion} has it. */
  public RawDocument toDocument() {
    var out = new BsonBuilder(64);
    out.appendUuid("uuid", uuid);
    return out.appendTimestamp("timestamp", timestamp).appendInt32("lastMod", lastMod).toDocument();
  }
}
