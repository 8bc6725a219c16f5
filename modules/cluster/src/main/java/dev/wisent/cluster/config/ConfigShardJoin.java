package dev.wisent.cluster.config;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the config servers a shard: they learn of it before routers do. Databases that clients have
 * made on them become the cluster's, as with any other shard.
 */
final class ConfigShardJoin implements Coordinator {
  static final String TYPE = "transitionFromDedicatedConfigServer";

  /** An argument: names of databases. */
  static final String BROUGHT = "databases";

  private final ClusterMetadata metadata;
  private final ConfigShard own;

  ConfigShardJoin(ClusterMetadata metadata, ConfigShard own) {
    this.metadata = metadata;
    this.own = own;
  }

  @Override
  public String type() {
    return TYPE;
  }

  /** The databases too: none of their names may come from elsewhere meanwhile. */
  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    var locks = new HashSet<ResourceLock>();
    locks.add(new ResourceLock(resource, true));
    for (String database : DocumentFields.texts(arguments, BROUGHT)) {
      locks.add(new ResourceLock(database, true));
      locks.add(new ResourceLock("/" + database.toLowerCase(Locale.ROOT), true));
    }
    return locks;
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    if (isShard(context)) {
      return Optional.of(RawDocument.EMPTY);
    }
    for (String database : DocumentFields.texts(context.arguments(), BROUGHT)) {
      entry().checkNew(context.operation(), database);
    }
    return Optional.empty();
  }

  private ShardEntry entry() {
    return new ShardEntry(metadata, ConfigShard.NAME, own.connectionString());
  }

  private boolean isShard(PhaseContext context) {
    return metadata.store().findById(context.operation(), ShardDraining.SHARDS, ConfigShard.NAME)
        != null;
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("identify", this::identify),
        Phase.reversible("tellDatabases", this::tellDatabases),
        Phase.untilDone("commit", this::commit));
  }

  /** The documents of the databases that it brings. */
  private RawDocument begin(PhaseContext context) {
    List<RawDocument> documents =
        DocumentFields.texts(context.arguments(), BROUGHT).stream()
            .map(database -> entry().database(database))
            .toList();
    return new BsonBuilder().append("brought", DocumentFields.arrayOf(documents)).toDocument();
  }

  private static List<RawDocument> brought(PhaseContext context) {
    return DocumentFields.documents(context.data(), "brought");
  }

  /** Has no effect where the set was a shard before. */
  private void identify(PhaseContext context) {
    RawValue clusterId =
        metadata
            .store()
            .findOne(context.operation(), "version", RawDocument.EMPTY)
            .get("clusterId");
    own.write(
        context.operation(),
        command -> {
          command.appendInt32("_addShard", 1).startDocument("shardIdentity");
          command.appendString("_id", "shardIdentity").appendString("shardName", ConfigShard.NAME);
          command.append("clusterId", clusterId);
          command.appendString("configsvrConnectionString", own.connectionString()).end();
        });
  }

  private void tellDatabases(PhaseContext context) {
    for (RawDocument database : brought(context)) {
      own.write(
          context.operation(),
          command -> {
            command.append("_shardsvrSetDatabase", database.get("_id"));
            command.append("version", database.get("version"));
          });
    }
  }

  private void commit(PhaseContext context) {
    if (!isShard(context)) {
      entry().insert(context.operation(), 0, brought(context), "");
    }
  }

  /** That the set is a shard by its own data means nothing while {@code config.shards} lacks it. */
  @Override
  public void undo(PhaseContext context) {
    for (RawDocument database : brought(context)) {
      own.write(
          context.operation(),
          command -> command.append("_shardsvrSetDatabase", database.get("_id")));
    }
  }
}
