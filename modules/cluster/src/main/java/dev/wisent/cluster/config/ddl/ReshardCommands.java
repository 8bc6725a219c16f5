package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The commands that give a collection another shard key or other shards, and those that end it. */
public final class ReshardCommands {
  private static final List<String> TYPES =
      List.of(ReshardCoordinator.RESHARD, ReshardCoordinator.UNSHARD, ReshardCoordinator.MOVE);

  private final Coordinators coordinators;

  public ReshardCommands(Coordinators coordinators) {
    this.coordinators = coordinators;
  }

  private static Namespace namespace(CommandRequest request) {
    Namespace parsed =
        Namespace.parse(ArgumentTypes.string(request.pathOfArgument(), request.argument()));
    Namespace namespace = Namespace.checked(parsed.database(), parsed.collection());
    if (namespace.isInternal() || namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "%s of the collection %s makes no sense".formatted(request.nameInErrors(), namespace));
    }
    return namespace;
  }

  /** {@code _configsvrReshardCollection}. */
  public void reshard(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request);
    var given = new ReshardArguments(request);
    UUID key = given.operationKey() == null ? KeptOutcomes.keyOf(request) : given.operationKey();
    run(context.operation(), key, ReshardCoordinator.RESHARD, namespace, given.toDocument());
  }

  /** {@code _configsvrUnshardCollection}. */
  public void unshard(CommandRequest request, CommandContext context, BsonBuilder reply) {
    run(request, context, ReshardCoordinator.UNSHARD, false);
  }

  /** {@code _configsvrMoveCollection}. */
  public void move(CommandRequest request, CommandContext context, BsonBuilder reply) {
    run(request, context, ReshardCoordinator.MOVE, true);
  }

  /** {@code _configsvrUntrackUnshardedCollection}. */
  public void untrack(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request);
    requireNoArguments(request);
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        UntrackCoordinator.TYPE,
        namespace.full(),
        RawDocument.EMPTY);
  }

  private void run(
      CommandRequest request, CommandContext context, String type, boolean needsShard) {
    Namespace namespace = namespace(request);
    String to = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "toShard" -> to = reader.string();
        default -> reader.unknown();
      }
    }
    if (needsShard && to == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".toShard");
    }
    var arguments = new BsonBuilder();
    if (to != null) {
      arguments.appendString("toShard", to);
    }
    run(context.operation(), KeptOutcomes.keyOf(request), type, namespace, arguments.toDocument());
  }

  private void run(
      OperationContext operation,
      UUID key,
      String type,
      Namespace namespace,
      RawDocument arguments) {
    boolean joins = coordinators.isRunning(type, namespace.full(), arguments);
    if (!joins
        && TYPES.stream().anyMatch(any -> coordinators.find(any, namespace.full()) != null)) {
      throw ReshardCoordinator.inProgress(namespace.full());
    }
    coordinators.run(operation, key, type, namespace.full(), arguments);
  }

  /** {@code _configsvrAbortReshardCollection}, and those of the others. */
  public Command abort(String type) {
    return (request, context, reply) -> {
      Namespace namespace = namespace(request);
      requireNoArguments(request);
      var reason = new CommandException(ErrorCode.RESHARD_COLLECTION_ABORTED, "aborted");
      switch (coordinators.abort(context.operation(), type, namespace.full(), reason)) {
        case NONE_RUNS -> throw none(namespace);
        case TOO_LATE ->
            throw new CommandException(
                ErrorCode.RESHARD_COLLECTION_COMMITTED,
                "Can't abort resharding operation of %s after it has been committed"
                    .formatted(namespace));
        case ABORTED -> {}
      }
    };
  }

  /**
   * {@code _configsvrCommitReshardCollection}: returns when the operation has ended, which waits
   * for nothing but the last changes anyway.
   */
  public void commit(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request);
    requireNoArguments(request);
    CompletableFuture<RawDocument> run =
        coordinators.find(ReshardCoordinator.RESHARD, namespace.full());
    if (run == null) {
      throw none(namespace);
    }
    Coordinators.await(context.operation(), run);
  }

  /** {@code _configsvrCleanupReshardCollection}: operations that have failed leave nothing. */
  public void cleanup(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = namespace(request);
    requireNoArguments(request);
    CompletableFuture<RawDocument> run =
        coordinators.find(ReshardCoordinator.RESHARD, namespace.full());
    if (run != null) {
      throw ReshardCoordinator.inProgress(namespace.full());
    }
  }

  private static CommandException none(Namespace namespace) {
    return new CommandException(
        ErrorCode.NO_SUCH_RESHARD_COLLECTION,
        "Could not find in-progress resharding operation of " + namespace);
  }

  private static void requireNoArguments(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }

  /** The arguments of {@code reshardCollection}. */
  private static final class ReshardArguments {
    private RawDocument key;
    private List<RawDocument> zones;
    private List<RawDocument> distribution = List.of();
    private UUID operationKey;
    private final BsonBuilder more = new BsonBuilder();

    ReshardArguments(CommandRequest request) {
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        read(reader);
      }
      if (key == null) {
        throw ArgumentTypes.missing(request.nameInErrors() + ".key");
      }
      if (zones != null && !distribution.isEmpty()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "zones and shardDistribution cannot be given together");
      }
    }

    private void read(ArgumentReader reader) {
      switch (reader.name()) {
        case "key" -> key = ShardKeyPattern.of(reader.document()).pattern();
        case "unique" -> requireFalse(reader.bool());
        case "collation" -> {
          ShardCollectionCommand.requireSimple("reshardCollection", reader.document());
          more.appendBoolean("simpleCollation", true);
        }
        case "numInitialChunks" -> {
          long count = ArgumentTypes.atLeast(1, reader.path(), reader.value());
          more.appendInt64("numInitialChunks", count);
        }
        case "numSamplesPerChunk" -> {
          long count = ArgumentTypes.atLeast(1, reader.path(), reader.value());
          more.appendInt64("numSamplesPerChunk", count);
        }
        case "zones" -> zones = zones(reader);
        case "shardDistribution" -> distribution = distribution(reader, "shard");
        case "_presplitReshardedChunks" -> distribution = distribution(reader, "recipientShardId");
        case "forceRedistribution" -> more.appendBoolean("forceRedistribution", reader.bool());
        case "collectionUUID" -> more.appendUuid("collectionUUID", reader.uuid());
        case "reshardingUUID" -> operationKey = reader.uuid();
        // There is no shortest duration that it would end.
        case "demoMode" -> reader.bool();
        default -> reader.unknown();
      }
    }

    private static void requireFalse(boolean unique) {
      if (unique) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "reshardCollection does not support unique shard keys");
      }
    }

    private static List<RawDocument> zones(ArgumentReader reader) {
      var zones = new ArrayList<RawDocument>();
      for (RawDocument each : reader.documents()) {
        requireFields(reader.path(), each, List.of("min", "max", "zone"));
        if (each.get("zone").isString()) {
          zones.add(each.detached());
        }
      }
      return zones;
    }

    private static List<RawDocument> distribution(ArgumentReader reader, String name) {
      var chunks = new ArrayList<RawDocument>();
      for (RawDocument each : reader.documents()) {
        boolean ranges = each.get("min") != null || each.get("max") != null;
        requireFields(reader.path(), each, ranges ? List.of("min", "max", name) : List.of(name));
        var out = new BsonBuilder();
        out.append("shard", each.get(name));
        if (ranges) {
          out.append("min", each.get("min")).append("max", each.get("max"));
        }
        chunks.add(out.toDocument());
      }
      boolean some = chunks.stream().anyMatch(each -> each.get("min") != null);
      if (some && !chunks.stream().allMatch(each -> each.get("min") != null)) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "All of the shards must have ranges, or none");
      }
      return chunks;
    }

    private static void requireFields(String path, RawDocument document, List<String> fields) {
      for (String field : fields) {
        if (document.get(field) == null) {
          throw ArgumentTypes.missing(path + "." + field);
        }
      }
      if (document.fieldCount() != fields.size()) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "%s has unknown fields: %s".formatted(path, ValueText.of(document)));
      }
    }

    UUID operationKey() {
      return operationKey;
    }

    RawDocument toDocument() {
      var out = new BsonBuilder().appendDocument("key", key).appendAll(more.toDocument());
      if (zones != null) {
        out.append("zones", DocumentFields.arrayOf(zones));
      }
      if (!distribution.isEmpty()) {
        out.append("shardDistribution", DocumentFields.arrayOf(distribution));
      }
      if (operationKey != null) {
        out.appendUuid("reshardingUUID", operationKey);
      }
      return out.toDocument();
    }
  }
}
