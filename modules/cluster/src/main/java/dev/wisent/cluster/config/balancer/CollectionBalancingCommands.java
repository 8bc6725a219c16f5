package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** The commands that change how single collections are balanced. */
public final class CollectionBalancingCommands {
  private static final String MAX_CHUNK_SIZE = "maxChunkSizeBytes";
  private static final long CHUNK_MEGABYTES_MAX = 1024;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ClusterMetadata metadata;

  public CollectionBalancingCommands(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /** {@code _configsvrSetAllowMigrations}. */
  public void setAllowMigrations(
      CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    Boolean allow = null;
    UUID[] expected = {null};
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "allowMigrations" -> allow = reader.strictBool();
        case "collectionUUID" -> expected[0] = reader.uuid();
        default -> reader.unknown();
      }
    }
    if (allow == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".allowMigrations");
    }
    boolean allowed = allow;
    changeCollection(
        context,
        "setAllowMigrations",
        namespace,
        new BsonBuilder().appendBoolean("allowMigrations", allowed).toDocument(),
        seen -> {
          if (expected[0] != null && !expected[0].equals(CollectionDocument.of(seen).uuid())) {
            throw new CommandException(
                ErrorCode.COLLECTION_UUID_MISMATCH,
                "Collection UUID does not match that specified");
          }
          return allowed
              ? DocumentFields.without(seen, "allowMigrations")
              : DocumentFields.with(seen, "allowMigrations", RawValue.FALSE);
        });
    if (!allowed) {
      awaitReserved(context.operation(), namespace);
    }
  }

  /** One that has a version may be decided already: it is waited for. No other one gets one now. */
  private void awaitReserved(OperationContext operation, String namespace) {
    CatalogStore store = metadata.store();
    Set<UUID> reserved = GrantedMigrations.reserved(store, operation, namespace);
    operation.await(
        nanos -> {
          reserved.retainAll(GrantedMigrations.reserved(store, operation, namespace));
          if (!reserved.isEmpty()) {
            LockSupport.parkNanos(Math.min(nanos, LOOK_NANOS));
          }
          return reserved.isEmpty();
        });
  }

  /** {@code configureCollectionBalancing}: what of a collection differs from the settings. */
  public void configureCollection(
      CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    var changes = new ArrayList<UnaryOperator<RawDocument>>();
    var details = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "chunkSize" -> changes.add(chunkSize(reader.wholeNumber()));
        case "enableAutoMerger" -> changes.add(autoMerge(reader.bool()));
        case "enableBalancing" -> changes.add(balancing(reader.bool()));
        case "defragmentCollection" -> changes.add(defragmentation(reader.bool()));
        default -> reader.unknown();
      }
      details.append(reader.name(), reader.value());
    }
    if (changes.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "invalid configure collection balancing update");
    }
    changeCollection(
        context,
        "configureCollectionBalancing",
        namespace,
        details.toDocument(),
        seen -> {
          RawDocument after = seen;
          for (UnaryOperator<RawDocument> change : changes) {
            after = change.apply(after);
          }
          return after;
        });
  }

  /** 0 for the size that the settings name. */
  private static UnaryOperator<RawDocument> chunkSize(long megabytes) {
    if (megabytes < 0 || megabytes > CHUNK_MEGABYTES_MAX) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Chunk size '" + megabytes + "' out of range [1MB, 1GB]");
    }
    return megabytes == 0
        ? seen -> DocumentFields.without(seen, MAX_CHUNK_SIZE)
        : seen -> DocumentFields.with(seen, MAX_CHUNK_SIZE, RawValue.ofInt64(megabytes << 20));
  }

  private static UnaryOperator<RawDocument> autoMerge(boolean enabled) {
    return enabled
        ? seen -> DocumentFields.without(seen, "enableAutoMerge")
        : seen -> DocumentFields.with(seen, "enableAutoMerge", RawValue.FALSE);
  }

  /** The balancer begins with the first phase, and forgets the one that is under way. */
  private static UnaryOperator<RawDocument> defragmentation(boolean begins) {
    return begins
        ? seen -> DocumentFields.with(seen, DefragmentationPhase.ASKED, RawValue.TRUE)
        : DefragmentationPhase::ended;
  }

  private static UnaryOperator<RawDocument> balancing(boolean enabled) {
    return seen -> DocumentFields.with(seen, "noBalance", RawValue.ofBoolean(!enabled));
  }

  private void changeCollection(
      CommandContext context,
      String what,
      String namespace,
      RawDocument details,
      UnaryOperator<RawDocument> after) {
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(what, namespace, details, context.client().remoteAddress()),
            change -> {
              RawDocument seen = change.findOne("collections", DocumentFields.byId(namespace));
              if (!CollectionDocument.isSharded(seen)) {
                throw new CommandException(
                    ErrorCode.NAMESPACE_NOT_SHARDED,
                    "Expected collection " + namespace + " to be sharded");
              }
              change.replace("collections", seen, after.apply(seen));
            });
  }
}
