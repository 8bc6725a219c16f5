package dev.wisent.cluster.shard;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;

/** Reads versions of collections and databases from requests. */
final class VersionArguments {
  private VersionArguments() {}

  static ChunkVersion collection(RawDocument version) {
    return ChunkVersion.of(
        field("shardVersion", version, "e", ElementType.OBJECT_ID, "objectId").asObjectId(),
        field("shardVersion", version, "t", ElementType.TIMESTAMP, "timestamp").asInt64(),
        field("shardVersion", version, "v", ElementType.TIMESTAMP, "timestamp").asInt64());
  }

  static DatabaseVersion database(RawDocument version) {
    field("databaseVersion", version, "uuid", ElementType.BINARY, "binData");
    field("databaseVersion", version, "timestamp", ElementType.TIMESTAMP, "timestamp");
    RawValue lastMod = version.get("lastMod");
    if (lastMod == null) {
      throw ArgumentTypes.missing("databaseVersion.lastMod");
    }
    if (!lastMod.isNumber()) {
      throw ArgumentTypes.wrongType("databaseVersion.lastMod", lastMod.type(), "int");
    }
    return DatabaseVersion.of(version);
  }

  private static RawValue field(
      String owner, RawDocument version, String name, byte type, String expected) {
    RawValue value = version.get(name);
    if (value == null) {
      throw ArgumentTypes.missing(owner + "." + name);
    }
    if (value.type() != type) {
      throw ArgumentTypes.wrongType(owner + "." + name, value.type(), expected);
    }
    return value;
  }
}
