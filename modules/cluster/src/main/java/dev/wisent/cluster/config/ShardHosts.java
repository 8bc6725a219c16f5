package dev.wisent.cluster.config;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostDescription;
import dev.wisent.wire.client.SetDescription;
import java.util.List;

/** Keeps {@code config.shards.host} equal to the members that the sets of the shards have. */
final class ShardHosts {
  private static final int CHANGED_LOG_ID = 9_000_510;

  private final ClusterMetadata metadata;
  private final ShardPrimaries sets;

  ShardHosts(ClusterMetadata metadata, ShardPrimaries sets) {
    this.metadata = metadata;
    this.sets = sets;
  }

  /** Looks at every shard once. */
  void follow(OperationContext operation) {
    for (RawDocument shard : metadata.store().find(operation, "shards", RawDocument.EMPTY)) {
      String stored = DocumentFields.text(shard, "host");
      SetDescription set = sets.monitor(stored).description();
      if (set.primary().isPresent()) {
        String current = ConnectionString.of(set.setName(), members(set));
        if (!current.equals(stored)) {
          write(operation, shard, current);
        }
      }
    }
  }

  /** Arbiters have no data; a primary names all others. */
  private static List<HostAndPort> members(SetDescription set) {
    return set.hosts().stream()
        .filter(host -> host.kind() != HostDescription.Kind.ARBITER)
        .map(HostDescription::host)
        .toList();
  }

  private void write(OperationContext operation, RawDocument shard, String hosts) {
    String name = shard.get("_id").asString();
    RawDocument changed = DocumentFields.with(shard, "host", RawValue.ofString(hosts));
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry("updateShardHosts", "", changed),
            change -> change.replace("shards", shard, changed));
    metadata
        .log()
        .info(
            CHANGED_LOG_ID,
            "The members of a shard have changed",
            "shard",
            name,
            "before",
            DocumentFields.text(shard, "host"),
            "now",
            hosts);
  }
}
