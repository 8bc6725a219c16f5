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
  /** As a command's {@code databaseVersion} has it. */
  public static DatabaseVersion of(RawDocument version) {
    return new DatabaseVersion(
        version.get("uuid").asUuid(),
        version.get("timestamp").asInt64(),
        (int) version.get("lastMod").toLong());
  }

  /** Whether this is older than another one; a database that was created later is newer. */
  public boolean isOlderThan(DatabaseVersion other) {
    int order = Long.compareUnsigned(timestamp, other.timestamp);
    return order < 0 || (order == 0 && lastMod < other.lastMod);
  }

  /** After the move to another primary shard. */
  public DatabaseVersion next() {
    return new DatabaseVersion(uuid, timestamp, lastMod + 1);
  }

  /** As a command's {@code databaseVersion} has it. */
  public RawDocument toDocument() {
    var out = new BsonBuilder(64);
    out.appendUuid("uuid", uuid);
    return out.appendTimestamp("timestamp", timestamp).appendInt32("lastMod", lastMod).toDocument();
  }
}
