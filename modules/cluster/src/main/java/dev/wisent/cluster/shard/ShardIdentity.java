package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import org.bson.types.ObjectId;

/**
 * Which shard of which cluster a node is, as {@code admin.system.version} has it.
 *
 * @param configServers {@code set/host:port,...}
 */
record ShardIdentity(String shardName, ObjectId clusterId, String configServers) {
  static ShardIdentity parse(String path, RawDocument document) {
    String name = null;
    ObjectId cluster = null;
    String config = null;
    ArgumentReader reader = ArgumentReader.of(path, document);
    while (reader.next()) {
      switch (reader.name()) {
        case "_id" -> {
          if (!reader.string().equals(Ownership.IDENTITY_ID)) {
            throw new CommandException(
                ErrorCode.BAD_VALUE, path + "._id must be '" + Ownership.IDENTITY_ID + "'");
          }
        }
        case "shardName" -> name = reader.string();
        case "clusterId" -> {
          if (reader.value().type() != ElementType.OBJECT_ID) {
            throw ArgumentTypes.wrongType(reader.path(), reader.value().type(), "objectId");
          }
          cluster = reader.value().asObjectId();
        }
        case "configsvrConnectionString" -> config = reader.string();
        default -> reader.unknown();
      }
    }
    if (name == null || cluster == null || config == null) {
      throw ArgumentTypes.missing(
          path
              + "."
              + (name == null
                  ? "shardName"
                  : cluster == null ? "clusterId" : "configsvrConnectionString"));
    }
    return new ShardIdentity(name, cluster, config);
  }

  RawDocument toDocument() {
    return new BsonBuilder()
        .appendString("_id", Ownership.IDENTITY_ID)
        .appendString("shardName", shardName)
        .appendObjectId("clusterId", clusterId)
        .appendString("configsvrConnectionString", configServers)
        .toDocument();
  }

  /** The name in a stored identity. */
  static String shardName(RawDocument stored) {
    return stored.get("shardName").asString();
  }
}
