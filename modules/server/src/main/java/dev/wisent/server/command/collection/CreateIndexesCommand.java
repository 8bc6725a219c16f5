package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.IndexConflicts;
import dev.wisent.operation.Namespace;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;
import java.util.Optional;

/** {@code createIndexes}. */
public final class CreateIndexesCommand implements Command {
  private final NodeDatabase database;
  private final Optional<ReplicaSet> set;

  /**
   * @param set empty for a standalone
   */
  public CreateIndexesCommand(NodeDatabase database, Optional<ReplicaSet> set) {
    this.database = database;
    this.set = set;
  }

  private record Arguments(List<RawDocument> indexes, CommitQuorum quorum) {}

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.writable(request);
    Arguments arguments = parse(request);
    List<RawDocument> wanted = arguments.indexes;
    set.flatMap(ReplicaSet::config).ifPresent(arguments.quorum::check);
    boolean isNew = database.collection(namespace) == null;
    if (isNew) {
      database.views(namespace).refuse(namespace);
      // What cannot be created leaves no collection behind.
      IndexConflicts.checkFirst(namespace, wanted);
    }
    Collection collection =
        database.changes(namespace).findOrCreate(namespace, context.operation());
    CatalogChanges.IndexCounts counts =
        database.changes(namespace).addIndexes(collection, wanted, context.operation());
    reply.appendInt32("numIndexesBefore", counts.before());
    reply.appendInt32("numIndexesAfter", counts.after());
    if (isNew) {
      reply.appendBoolean("createdCollectionAutomatically", true);
    }
    if (counts.before() == counts.after()) {
      reply.appendString("note", "all indexes already exist");
    } else if (set.isPresent()) {
      arguments.quorum.append(reply);
    }
  }

  private Arguments parse(CommandRequest request) {
    List<RawDocument> specs = null;
    CommitQuorum quorum = CommitQuorum.VOTING_MEMBERS;
    boolean ignoreUnknown = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "indexes" -> specs = reader.documents();
        case "commitQuorum" -> {
          quorum = CommitQuorum.parse(reader.value());
          requireSet();
        }
        case "ignoreUnknownIndexOptions" -> ignoreUnknown = reader.bool();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (specs == null) {
      throw ArgumentTypes.missing("createIndexes.indexes");
    }
    if (specs.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Must specify at least one index to create");
    }
    boolean lenient = ignoreUnknown;
    return new Arguments(
        specs.stream().map(spec -> IndexSpec.parse(spec, lenient)).toList(), quorum);
  }

  private void requireSet() {
    if (set.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Standalones can't specify commitQuorum");
    }
  }
}
