package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.definition.CreateIndexesRequest;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.index.IndexSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.types.ObjectId;

/** The collections of the database {@code config}, with their indexes and rules. */
public final class ConfigCollections {
  public static final String VERSION = "version";

  /** A collection that has its index on {@code _id} and no rules. */
  private static final Shape PLAIN = new Shape("{}");

  /** What MongoDB checks in {@code config.settings}, where clients write. */
  private static final String SETTINGS_RULES =
      "{validator: {$jsonSchema: {oneOf: ["
          + "{properties: {_id: {enum: ['chunksize']},"
          + " value: {bsonType: 'number', minimum: 1, maximum: 1024}},"
          + " required: ['value'], additionalProperties: false},"
          + "{properties: {_id: {enum: ['balancer']},"
          + " mode: {enum: ['full', 'autoSplitOnly', 'off']}, stopped: {bsonType: 'bool'},"
          + " activeWindow: {bsonType: 'object', required: ['start', 'stop']},"
          + " _secondaryThrottle: {oneOf: [{bsonType: 'bool'}, {bsonType: 'object'}]},"
          + " _waitForDelete: {bsonType: 'bool'},"
          + " attemptToBalanceJumboChunks: {bsonType: 'bool'}}},"
          + "{properties: {_id: {enum: ['autosplit', 'automerge']},"
          + " enabled: {bsonType: 'bool'}}},"
          + "{properties: {_id: {enum: ['ReadWriteConcernDefaults', 'audit']}}}]}}}";

  /** In the order in which they are created. */
  private static final Map<String, Shape> SHAPES = new LinkedHashMap<>();

  static {
    SHAPES.put(VERSION, PLAIN);
    SHAPES.put("shards", new Shape("{}", "{key: {host: 1}, name: 'host_1', unique: true}"));
    SHAPES.put("databases", PLAIN);
    SHAPES.put("collections", PLAIN);
    SHAPES.put(
        "chunks",
        new Shape(
            "{}",
            "{key: {uuid: 1, min: 1}, name: 'uuid_1_min_1', unique: true}",
            "{key: {uuid: 1, shard: 1, min: 1}, name: 'uuid_1_shard_1_min_1', unique: true}",
            "{key: {uuid: 1, lastmod: 1}, name: 'uuid_1_lastmod_1', unique: true}",
            "{key: {uuid: 1, shard: 1, onCurrentShardSince: 1},"
                + " name: 'uuid_1_shard_1_onCurrentShardSince_1'}"));
    SHAPES.put(
        "tags",
        new Shape(
            "{}",
            "{key: {ns: 1, min: 1}, name: 'ns_1_min_1', unique: true}",
            "{key: {ns: 1, tag: 1}, name: 'ns_1_tag_1'}"));
    SHAPES.put("migrations", PLAIN);
    SHAPES.put("reshardingOperations", PLAIN);
    SHAPES.put("settings", new Shape(SETTINGS_RULES));
    SHAPES.put("mongos", PLAIN);
    // Not capped as MongoDB's: its lines are part of transactions.
    SHAPES.put(
        "changelog",
        new Shape("{}", "{key: {time: 1}, name: 'time_1', expireAfterSeconds: 2592000}"));
    SHAPES.put("actionlog", new Shape("{capped: true, size: 20971520}"));
    SHAPES.put("locks", PLAIN);
    SHAPES.put("lockpings", PLAIN);
    SHAPES.put("system.sharding_ddl_coordinators", PLAIN);
    SHAPES.put(
        KeptOutcomes.COLLECTION,
        new Shape("{}", "{key: {ended: 1}, name: 'ended_1', expireAfterSeconds: 3600}"));
  }

  private final Definitions definitions;
  private final CatalogStore store;
  private final Clock clock;

  /**
   * @param options as {@code create} takes them
   * @param indexes beside the one on {@code _id}
   */
  private record Shape(String options, String... indexes) {}

  public ConfigCollections(Definitions definitions, CatalogStore store, Clock clock) {
    this.definitions = definitions;
    this.store = store;
    this.clock = clock;
  }

  /** Creates what is missing; a new primary does. */
  public void create(OperationContext operation, ObjectId newClusterId) {
    SHAPES.forEach(this::create);
    if (store.findOne(operation, VERSION, RawDocument.EMPTY) == null) {
      store.put(
          operation,
          VERSION,
          new BsonBuilder()
              .appendInt32("_id", 1)
              .appendObjectId("clusterId", newClusterId)
              .toDocument());
    }
  }

  private void create(String name, Shape shape) {
    Namespace namespace = CatalogStore.namespace(name);
    OperationContext own = OperationContext.internal(clock);
    if (definitions.find(namespace) == null) {
      definitions.create(own, new CreateRequest(namespace, RawDocument.parse(shape.options), null));
    }
    List<RawDocument> indexes = new ArrayList<>();
    for (String index : shape.indexes) {
      indexes.add(IndexSpec.parse(RawDocument.parse(index), false));
    }
    if (!indexes.isEmpty()) {
      definitions.createIndexes(own, new CreateIndexesRequest(namespace, indexes));
    }
  }
}
