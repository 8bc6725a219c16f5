package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.coordinator.PhaseContext;
import java.util.List;

/** The events by which change streams with more than documents learn of shard keys. */
final class ShardKeyEvents {
  private static final String CHUNKS = "numInitialChunks";

  private ShardKeyEvents() {}

  /**
   * @param arguments those of the coordinator, with the values that a client left out
   */
  static RawDocument sharded(RawDocument arguments) {
    var out = new BsonBuilder();
    out.appendDocument("shardKey", DocumentFields.document(arguments, "key"));
    out.appendBoolean("unique", DocumentFields.isTrue(arguments, "unique"));
    out.appendInt64(CHUNKS, DocumentFields.number(arguments, CHUNKS));
    RawValue presplit = arguments.get("presplitHashedZones");
    return event(
        ShardCollectionCoordinator.TYPE,
        out.appendBoolean("presplitHashedZones", presplit != null && presplit.isTruthy()));
  }

  static RawDocument refined(RawDocument key, RawDocument old) {
    return event(
        RefineShardKeyCoordinator.TYPE,
        new BsonBuilder().appendDocument("shardKey", key).appendDocument("oldShardKey", old));
  }

  /** Of a collection that had another key, and another UUID. */
  static RawDocument resharded(PhaseContext context) {
    RawDocument arguments = context.arguments();
    var out = new BsonBuilder();
    out.append("reshardUUID", ReshardingOperations.id(context));
    out.append("shardKey", context.data().get("key"));
    if (context.data().get("oldKey") != null) {
      out.append("oldShardKey", context.data().get("oldKey"));
    }
    out.appendBoolean("unique", false);
    if (arguments.get(CHUNKS) != null) {
      out.append(CHUNKS, arguments.get(CHUNKS));
    }
    RawDocument options = DocumentFields.document(context.data(), "options");
    if (options.get("collation") != null) {
      out.append("collation", options.get("collation"));
    }
    List<RawDocument> zones = DocumentFields.documents(context.data(), "zones");
    if (!zones.isEmpty()) {
      out.append("zones", DocumentFields.arrayOf(zones));
    }
    return new BsonBuilder()
        .appendAll(event(ReshardCoordinator.RESHARD, out))
        .append("collectionUUID", context.data().get("uuid"))
        .toDocument();
  }

  private static RawDocument event(String type, BsonBuilder description) {
    return new BsonBuilder()
        .appendString("operationType", type)
        .appendDocument("operationDescription", description.toDocument())
        .toDocument();
  }
}
