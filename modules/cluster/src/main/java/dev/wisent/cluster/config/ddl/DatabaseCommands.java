package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;

/** The commands about databases of a cluster. */
public final class DatabaseCommands {
  private final ClusterMetadata metadata;
  private final Coordinators coordinators;

  public DatabaseCommands(ClusterMetadata metadata, Coordinators coordinators) {
    this.metadata = metadata;
    this.coordinators = coordinators;
  }

  /** {@code _configsvrCreateDatabase}. */
  public void create(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    String primary = null;
    boolean enableSharding = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "primaryShardId", "primaryShard" -> primary = reader.string();
        case "enableSharding" -> enableSharding = reader.bool();
        default -> reader.unknown();
      }
    }
    create(context.operation(), name, primary, enableSharding);
  }

  /** {@code _configsvrMovePrimary}. */
  public void movePrimary(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    String to = "";
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "to" -> to = reader.string();
        default -> reader.unknown();
      }
    }
    Namespace.checkDatabase(name);
    if (new Namespace(name, "").isInternal()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Can't move primary for " + name + " database");
    }
    if (to.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "you have to specify where you want to move it");
    }
    coordinators.run(
        context.operation(),
        KeptOutcomes.keyOf(request),
        MovePrimaryCoordinator.TYPE,
        name,
        new BsonBuilder().appendString("to", to).toDocument());
  }

  /**
   * {@code _configsvrCheckMetadataConsistency}, of a collection or database, or of all for an empty
   * name.
   */
  public void checkConsistency(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    boolean indexes = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "checkIndexes" -> indexes = reader.bool();
        default -> reader.unknown();
      }
    }
    var check = new ConsistencyCheck(metadata, context.operation(), indexes);
    Namespace namespace = Namespace.parse(name);
    Set<String> databases =
        name.isEmpty() ? databases(context.operation()) : Set.of(namespace.database());
    var found = new ArrayList<RawDocument>();
    for (String database : databases) {
      found.addAll(check.check(database, namespace.collection().isEmpty() ? null : namespace));
    }
    reply.append("inconsistencies", DocumentFields.arrayOf(found));
  }

  /** Also those that only their sharded collections tell of. */
  private Set<String> databases(OperationContext operation) {
    var names = new TreeSet<String>();
    for (RawDocument each :
        metadata.store().find(operation, CatalogReads.DATABASES, RawDocument.EMPTY)) {
      names.add(each.get("_id").asString());
    }
    for (RawDocument each :
        metadata.store().find(operation, CatalogReads.COLLECTIONS, RawDocument.EMPTY)) {
      names.add(Namespace.parse(each.get("_id").asString()).database());
    }
    return names;
  }

  /** {@code _configsvrDropDatabase}. */
  public void dropDatabase(CommandRequest request, CommandContext context, BsonBuilder reply) {
    drop(DropDatabaseCoordinator.TYPE, request, context, reply);
  }

  /** {@code _configsvrDrop}. */
  public void dropCollection(CommandRequest request, CommandContext context, BsonBuilder reply) {
    drop(DropCoordinator.TYPE, request, context, reply);
  }

  private void drop(
      String type, CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    if (Namespace.parse(name).isInternal()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Cannot drop '" + name + "' of a cluster");
    }
    var arguments = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      if (reader.name().equals("collectionUUID") && type.equals(DropCoordinator.TYPE)) {
        arguments.appendUuid("collectionUUID", reader.uuid());
      } else {
        reader.unknown();
      }
    }
    reply.appendAll(
        coordinators.run(
            context.operation(), KeptOutcomes.keyOf(request), type, name, arguments.toDocument()));
  }

  /** Creates a database that is not there yet. */
  void create(OperationContext operation, String name, String primary, boolean enableSharding) {
    Namespace.checkDatabase(name);
    if (new Namespace(name, "").isInternal()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot manually create or shard the database '" + name + "'");
    }
    // The locks of a coordinator would wait for what others change in the database.
    if (primary != null
        || metadata.store().findById(operation, CatalogReads.DATABASES, name) == null) {
      var arguments = new BsonBuilder();
      if (primary != null) {
        arguments.appendString("primaryShard", primary);
      }
      arguments.appendBoolean("enableSharding", enableSharding);
      coordinators.run(operation, CreateDatabaseCoordinator.TYPE, name, arguments.toDocument());
    }
    if (enableSharding) {
      enableSharding(operation, name);
    }
  }

  private void enableSharding(OperationContext operation, String name) {
    RawDocument seen = metadata.store().findById(operation, CatalogReads.DATABASES, name);
    if (seen != null && !DocumentFields.isTrue(seen, "partitioned")) {
      RawDocument after = DocumentFields.with(seen, "partitioned", RawValue.TRUE);
      metadata
          .writer()
          .change(
              operation,
              new CatalogWriter.Entry("enableSharding", name, after),
              change -> change.replace(CatalogReads.DATABASES, seen, after));
    }
  }
}
