package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code _configsvrAddShard}: makes a replica set a shard of the cluster, with its databases. Sent
 * again it says the same.
 */
final class AddShardCommand implements Command {
  private static final String SHARDS = "shards";

  private final ClusterMetadata metadata;
  private final ShardSettings settings;
  private final ConfigShard config;
  private final NodeClient nodes;
  private final ReentrantLock oneAtATime = new ReentrantLock();

  /**
   * What a client asks for.
   *
   * @param name null for that of the set
   * @param maxSize in megabytes; 0 for no limit, null for that of a shard that exists
   */
  private record Request(ConnectionString where, String name, Long maxSize, String client) {}

  AddShardCommand(ClusterMetadata metadata, ConfigShard config, NodeClient nodes) {
    this.metadata = metadata;
    this.settings = new ShardSettings(metadata);
    this.config = config;
    this.nodes = nodes;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String where = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    String name = null;
    Long maxSize = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "name" -> name = reader.string();
        case "maxSize" -> maxSize = reader.nonNegative();
        default -> reader.unknown();
      }
    }
    if (name != null && name.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "shard name cannot be empty");
    }
    var wanted =
        new Request(ConnectionString.parse(where), name, maxSize, context.client().remoteAddress());
    OperationContext operation = context.operation();
    operation.acquire(oneAtATime);
    try {
      reply.appendString("shardAdded", add(operation, wanted));
    } finally {
      oneAtATime.unlock();
    }
  }

  private String add(OperationContext operation, Request wanted) {
    var candidate = new ShardCandidate(nodes, wanted.where, operation);
    String setName = candidate.setName();
    String existing = existing(operation, wanted, setName, candidate.members());
    if (existing != null) {
      // The first attempt may have ended before.
      settings.giveIfChanged(operation, candidate, List.of());
      if (wanted.maxSize != null) {
        changeLimit(operation, existing, wanted);
      }
      return existing;
    }
    String name = wanted.name == null ? setName : wanted.name;
    if (name.equals(ConfigShard.NAME) || setName.equals(ConfigShard.NAME)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "use of shard replica set with name 'config' is not allowed");
    }
    RawDocument taken = metadata.store().findById(operation, SHARDS, name);
    if (taken != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "A shard named '%s' already exists: %s"
              .formatted(name, DocumentFields.text(taken, "host")));
    }
    settings.checkWriteConcern(operation, candidate);
    var entry = new ShardEntry(metadata, name, candidate.connectionString());
    List<RawDocument> databases = databases(operation, candidate, entry);
    candidate.identify(name, clusterId(operation), config.connectionString());
    databases.forEach(candidate::setDatabase);
    List<RawDocument> parameters = settings.give(operation, candidate);
    long maxSize = wanted.maxSize == null ? 0 : wanted.maxSize;
    entry.insert(operation, maxSize, databases, wanted.client);
    settings.giveIfChanged(operation, candidate, parameters);
    return name;
  }

  /** How much data a shard takes is the only thing of it that is changed so. */
  private void changeLimit(OperationContext operation, String name, Request wanted) {
    RawDocument seen = metadata.store().findById(operation, SHARDS, name);
    if (seen == null || DocumentFields.number(seen, "maxSize") == wanted.maxSize) {
      return;
    }
    RawDocument after =
        wanted.maxSize == 0
            ? seen.without(Set.of("maxSize"))
            : DocumentFields.with(seen, "maxSize", RawValue.ofInt64(wanted.maxSize));
    var details =
        new BsonBuilder().appendString("shard", name).appendInt64("maxSize", wanted.maxSize);
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry("addShard.maxSize", "", details.toDocument(), wanted.client),
            change -> change.replace(SHARDS, seen, after));
  }

  /** The name under which the set is a shard already; null if it is none. */
  private String existing(
      OperationContext operation, Request wanted, String setName, Set<HostAndPort> members) {
    for (RawDocument shard : metadata.store().find(operation, SHARDS, RawDocument.EMPTY)) {
      String name = shard.get("_id").asString();
      ConnectionString host = ConnectionString.parse(DocumentFields.text(shard, "host"));
      if (host.setName().equals(setName)) {
        if (wanted.name != null && !wanted.name.equals(name)) {
          throw new CommandException(
              ErrorCode.ILLEGAL_OPERATION,
              "A shard already exists containing the replica set '" + setName + "'");
        }
        return name;
      }
      for (HostAndPort member : members) {
        if (host.hosts().contains(member)) {
          throw new CommandException(
              ErrorCode.ILLEGAL_OPERATION,
              "'%s' is already a member of the existing shard '%s' (%s)."
                  .formatted(member, host, name));
        }
      }
    }
    return null;
  }

  /** The documents of the databases that the new shard brings. */
  private static List<RawDocument> databases(
      OperationContext operation, ShardCandidate candidate, ShardEntry entry) {
    var documents = new ArrayList<RawDocument>();
    for (String database : candidate.databases()) {
      if (!ConfigShard.OWN_DATABASES.contains(database)) {
        entry.checkNew(operation, database);
        documents.add(entry.database(database));
      }
    }
    return documents;
  }

  private RawDocument clusterId(OperationContext operation) {
    return metadata.store().findOne(operation, "version", RawDocument.EMPTY);
  }
}
