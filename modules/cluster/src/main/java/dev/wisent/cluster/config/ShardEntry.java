package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.DatabaseVersion;
import java.util.List;

/** What a new shard is for the metadata: its own document, and those of the databases it brings. */
final class ShardEntry {
  private static final int ADDED_LOG_ID = 9_000_511;
  private static final String DATABASES = "databases";

  private final ClusterMetadata metadata;
  private final String name;
  private final String host;

  ShardEntry(ClusterMetadata metadata, String name, String host) {
    this.metadata = metadata;
    this.name = name;
    this.host = host;
  }

  /** Refuses a shard that has a database of the cluster. */
  void checkNew(OperationContext operation, String database) {
    RawDocument known = metadata.store().findById(operation, DATABASES, database);
    if (known != null) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "can't add shard '%s' because a local database '%s' exists in another %s"
              .formatted(host, database, DocumentFields.text(known, "primary")));
    }
  }

  /** The document of a database that it brings. */
  RawDocument database(String database) {
    var version =
        new DatabaseVersion(metadata.random().nextUuid(), metadata.clusterTime().tick(), 1);
    return new BsonBuilder()
        .appendString("_id", database)
        .appendString("primary", name)
        .appendBoolean("partitioned", false)
        .appendDocument("version", version.toDocument())
        .toDocument();
  }

  /**
   * Makes it a shard.
   *
   * @param maxSize in megabytes; 0 for no limit
   * @param client its address; empty for none
   */
  void insert(
      OperationContext operation, long maxSize, List<RawDocument> databases, String client) {
    var shard =
        new BsonBuilder()
            .appendString("_id", name)
            .appendString("host", host)
            .appendInt32("state", 1);
    if (maxSize > 0) {
      shard.appendInt64("maxSize", maxSize);
    }
    shard.appendTimestamp("topologyTime", metadata.clusterTime().tick());
    RawDocument document = shard.toDocument();
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry("addShard", "", document, client),
            change -> {
              change.insert(ShardDraining.SHARDS, document);
              change.insert(DATABASES, databases);
            });
    metadata
        .log()
        .info(
            ADDED_LOG_ID,
            "Added a shard",
            "shard",
            name,
            "host",
            host,
            "databases",
            databases.size());
  }
}
