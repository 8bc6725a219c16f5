package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardKeyPattern;

/** The commands about sharded collections that check their arguments before they run. */
public final class CollectionCommands {
  private final Coordinators coordinators;

  public CollectionCommands(Coordinators coordinators) {
    this.coordinators = coordinators;
  }

  /** {@code _configsvrRefineCollectionShardKey}. */
  public void refineShardKey(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request.pathOfArgument(), request);
    RawDocument key = null;
    var more = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "key" -> key = reader.document();
        case "collectionUUID" -> more.appendUuid("collectionUUID", reader.uuid());
        case "enforceUniquenessCheck" -> {
          if (!reader.bool()) {
            more.appendBoolean("trustsUniqueness", true);
          }
        }
        default -> reader.unknown();
      }
    }
    if (key == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".key");
    }
    RawDocument pattern = ShardKeyPattern.of(key).pattern();
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        RefineShardKeyCoordinator.TYPE,
        namespace.full(),
        new BsonBuilder().appendDocument("key", pattern).appendAll(more.toDocument()).toDocument());
  }

  /** {@code _configsvrRecreateRangeDeletionTasks}. */
  public void recreateDeletions(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request.pathOfArgument(), request);
    boolean skipsEmpty = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case RecreateDeletionsCoordinator.SKIP_EMPTY -> skipsEmpty = reader.bool();
        default -> reader.unknown();
      }
    }
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        RecreateDeletionsCoordinator.TYPE,
        namespace.full(),
        new BsonBuilder()
            .appendBoolean(RecreateDeletionsCoordinator.SKIP_EMPTY, skipsEmpty)
            .toDocument());
  }

  private static Namespace namespace(String field, CommandRequest request) {
    return checked(ArgumentTypes.string(field, request.argument()));
  }

  private static Namespace checked(String name) {
    Namespace parsed = Namespace.parse(name);
    return Namespace.checked(parsed.database(), parsed.collection());
  }

  /** {@code _configsvrRenameCollection}, where a sharded collection is concerned. */
  public void rename(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace from = namespace("renameCollection.renameCollection", request);
    Namespace to = null;
    var more = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "to" -> to = checked(reader.string());
        case "dropTarget" -> more.appendBoolean("dropTarget", reader.bool());
        case "stayTemp" -> reader.bool();
        case "collectionUUID" -> more.appendUuid("collectionUUID", reader.uuid());
        case "targetEpoch" -> more.append("targetEpoch", reader.value());
        default -> reader.unknown();
      }
    }
    if (to == null) {
      throw ArgumentTypes.missing("renameCollection.to");
    }
    if (from.equals(to)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Can't rename a collection to itself");
    }
    SystemNamespaces.checkRename(from, to);
    if (!from.database().equals(to.database())) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED,
          "Source and destination collections must be on the same database because "
              + from
              + " or "
              + to
              + " is sharded.");
    }
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        RenameCoordinator.TYPE,
        from.full(),
        new BsonBuilder().appendString("to", to.full()).appendAll(more.toDocument()).toDocument());
  }
}
