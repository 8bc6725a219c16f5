package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/** Where the unsharded collections of a database are, as {@code config.databases} has it. */
public record DatabaseRouting(String name, String primaryShard, DatabaseVersion version) {
  public static DatabaseRouting of(RawDocument document) {
    return new DatabaseRouting(
        document.get("_id").asString(),
        document.get("primary").asString(),
        DatabaseVersion.of(document.get("version").asDocument()));
  }

  public RawDocument toDocument() {
    return new BsonBuilder(128)
        .appendString("_id", name)
        .appendString("primary", primaryShard)
        .appendBoolean("partitioned", false)
        .appendDocument("version", version.toDocument())
        .toDocument();
  }
}
