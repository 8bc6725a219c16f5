package dev.wisent.cluster.config;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes the config servers a shard, and ends that. */
final class TransitionCommands {
  private final Coordinators coordinators;
  private final ShardDraining draining;
  private final ConfigShard own;

  TransitionCommands(ClusterMetadata metadata, Coordinators coordinators, ConfigShard own) {
    this.coordinators = coordinators;
    this.draining = new ShardDraining(metadata);
    this.own = own;
  }

  /** {@code _configsvrTransitionFromDedicatedConfigServer}. */
  void fromDedicated(CommandRequest request, CommandContext context, BsonBuilder reply) {
    noArguments(request);
    // What is left of the last time is no database that it brings.
    CompletableFuture<RawDocument> leaving =
        coordinators.find(ConfigShardLeave.TYPE, ConfigShard.NAME);
    if (leaving != null) {
      var unused = Coordinators.await(context.operation(), leaving);
    }
    RawDocument arguments =
        new BsonBuilder()
            .append(
                ConfigShardJoin.BROUGHT,
                DocumentFields.arrayOfTexts(databases(context.operation())))
            .toDocument();
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        ConfigShardJoin.TYPE,
        ConfigShard.NAME,
        arguments);
  }

  /** Those that clients have made on the config servers. */
  private List<String> databases(OperationContext operation) {
    RawDocument reply =
        own.run(
            operation,
            command -> command.appendInt32("listDatabases", 1).appendBoolean("nameOnly", true));
    return DocumentFields.documents(reply, "databases").stream()
        .map(database -> DocumentFields.text(database, "name"))
        .filter(name -> !ConfigShard.OWN_DATABASES.contains(name))
        .toList();
  }

  /** {@code _configsvrTransitionToDedicatedConfigServer}, which answers as removeShard does. */
  void toDedicated(CommandRequest request, CommandContext context, BsonBuilder reply) {
    noArguments(request);
    // A run that has removed the shard has yet to clear it.
    if (coordinators.find(ConfigShardLeave.TYPE, ConfigShard.NAME) == null) {
      ShardDraining.Asked asked = draining.asked(request, context, ConfigShard.NAME);
      if (draining.tell(context.operation(), asked, reply)) {
        return;
      }
    }
    reply.appendAll(
        coordinators.run(
            context.operation(),
            KeptOutcomes.keyOf(request),
            ConfigShardLeave.TYPE,
            ConfigShard.NAME,
            RawDocument.EMPTY));
  }

  private static void noArguments(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }
}
