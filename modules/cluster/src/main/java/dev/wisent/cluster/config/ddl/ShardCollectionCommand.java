package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardKeyPattern;

/** {@code _configsvrShardCollection}: checks what does not depend on data, and runs it. */
public final class ShardCollectionCommand implements Command {
  private final DatabaseCommands databases;
  private final Coordinators coordinators;

  public ShardCollectionCommand(DatabaseCommands databases, Coordinators coordinators) {
    this.databases = databases;
    this.coordinators = coordinators;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String full = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    Namespace parsed = Namespace.parse(full);
    Namespace namespace = Namespace.checked(parsed.database(), parsed.collection());
    RawDocument arguments = arguments(request);
    checkNamespace(namespace);
    databases.create(context.operation(), namespace.database(), null, false);
    reply.appendAll(
        coordinators.run(
            context.operation(),
            KeptOutcomes.keyOf(request),
            ShardCollectionCoordinator.TYPE,
            full,
            arguments));
  }

  private static void checkNamespace(Namespace namespace) {
    if (namespace.isInternal()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "can't shard collections of the database " + namespace.database());
    }
    if (namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't shard system namespaces: " + namespace);
    }
  }

  /** The arguments as the coordinator takes them: key, unique, numInitialChunks, collation. */
  private static RawDocument arguments(CommandRequest request) {
    RawDocument key = null;
    boolean unique = false;
    long chunks = 0;
    RawDocument collation = null;
    var more = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "key" -> key = reader.document();
        case "unique" -> unique = reader.bool();
        case "numInitialChunks" -> chunks = reader.nonNegative();
        case "collation" -> collation = reader.document();
        case "collectionUUID" -> more.appendUuid("collectionUUID", reader.uuid());
        case "enforceUniquenessCheck" -> {
          if (!reader.bool()) {
            more.appendBoolean("trustsUniqueness", true);
          }
        }
        case "implicitlyCreateIndex" -> {
          if (!reader.bool()) {
            more.appendBoolean("needsIndex", true);
          }
        }
        case "presplitHashedZones" -> more.appendBoolean("presplitHashedZones", reader.bool());
        case "timeseries" ->
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "sharded time-series collections are not supported yet");
        default -> reader.unknown();
      }
    }
    if (key == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".key");
    }
    check(ShardKeyPattern.of(key), unique, collation);
    var out = new BsonBuilder().appendDocument("key", key).appendBoolean("unique", unique);
    out.appendInt64("numInitialChunks", chunks);
    out.appendBoolean("simpleCollation", collation != null);
    return out.appendAll(more.toDocument()).toDocument();
  }

  private static void check(ShardKeyPattern key, boolean unique, RawDocument collation) {
    if (unique && key.isHashed()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Hashed shard keys cannot be declared unique. It's possible to ensure uniqueness on the"
              + " hashed field by declaring an additional (non-hashed) unique index on the field.");
    }
    if (collation != null) {
      requireSimple("shardCollection", collation);
    }
  }

  /** Keys are compared without a collation, and a client has to know. */
  static void requireSimple(String command, RawDocument collation) {
    if (!isSimple(collation)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The collation for %s must be {locale: 'simple'}, but found: %s"
              .formatted(command, ValueText.of(collation)));
    }
  }

  private static boolean isSimple(RawDocument collation) {
    var locale = collation.get("locale");
    return collation.fieldCount() == 1
        && locale != null
        && locale.isString()
        && locale.asString().equals("simple");
  }
}
