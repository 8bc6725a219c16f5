package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.collection.CreateCommand;
import dev.wisent.server.command.collection.CreateIndexesCommand;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** {@code _shardsvrCreateCollection}: creates what is missing of a collection and its indexes. */
final class CreateCollectionCommand implements Command {
  private static final int VERSION_WITH_COLLATION = 2;
  private static final RawValue SIMPLE =
      RawValue.ofDocument(RawDocument.parse("{locale: 'simple'}"));

  private final Definitions definitions;
  private final CreateCommand create;
  private final CreateIndexesCommand createIndexes;
  private final Ownership ownership;

  CreateCollectionCommand(Definitions definitions, Optional<ReplicaSet> set, Ownership ownership) {
    this.definitions = definitions;
    this.create = new CreateCommand(definitions);
    this.createIndexes = new CreateIndexesCommand(definitions, set);
    this.ownership = ownership;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    UUID uuid = null;
    RawDocument options = RawDocument.EMPTY;
    List<RawDocument> indexes = List.of();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "uuid" -> uuid = reader.uuid();
        case "options" -> options = reader.document();
        case "indexes" -> indexes = reader.documents();
        case "id" -> {}
        default -> reader.unknown();
      }
    }
    if (uuid == null) {
      throw ArgumentTypes.missing("_shardsvrCreateCollection.uuid");
    }
    ShardArguments.requireShard(ownership);
    create(namespace, uuid, options, indexes, context);
  }

  /**
   * Creates what is missing; fails where another collection has the name.
   *
   * @param uuid null for a view
   */
  void create(
      Namespace namespace,
      UUID uuid,
      RawDocument options,
      List<RawDocument> indexes,
      CommandContext context) {
    CollectionInfo existing = definitions.find(namespace);
    if (existing == null) {
      var command = new BsonBuilder().appendString("create", namespace.collection());
      create.create(inDatabase(command.appendAll(options), namespace), uuid, context);
    } else if (!Objects.equals(uuid, existing.uuid())) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "collection " + namespace + " exists with another UUID: " + existing.uuid());
    }
    if (!indexes.isEmpty()) {
      var command = new BsonBuilder().appendString("createIndexes", namespace.collection());
      command.startArray("indexes");
      boolean collated = definitions.find(namespace).options().get("collation") != null;
      for (int i = 0; i < indexes.size(); i++) {
        command.appendDocument(i, collated ? withCollation(indexes.get(i)) : indexes.get(i));
      }
      createIndexes.run(inDatabase(command.end(), namespace), context, new BsonBuilder());
    }
  }

  /** A stored specification without a collation means the simple one, not the collection's. */
  private static RawDocument withCollation(RawDocument index) {
    RawValue version = index.get("v");
    boolean inherits = version == null || version.toLong() >= VERSION_WITH_COLLATION;
    return inherits && index.get("collation") == null
        ? DocumentFields.with(index, "collation", SIMPLE)
        : index;
  }

  private static CommandRequest inDatabase(BsonBuilder command, Namespace namespace) {
    RawDocument body = command.appendString("$db", namespace.database()).toDocument();
    CommandRequest request = CommandRequest.of(body, List.of(), false);
    request.readGenericArguments();
    return request;
  }
}
