package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CreateIndexesOutcome;
import dev.wisent.operation.definition.CreateIndexesRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.index.IndexSpec;
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
  private final Definitions definitions;
  private final Optional<ReplicaSet> set;

  /**
   * @param set empty for a standalone
   */
  public CreateIndexesCommand(Definitions definitions, Optional<ReplicaSet> set) {
    this.definitions = definitions;
    this.set = set;
  }

  private record Arguments(List<RawDocument> indexes, CommitQuorum quorum) {}

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.writable(request);
    Arguments arguments = parse(request);
    set.flatMap(ReplicaSet::config).ifPresent(arguments.quorum::check);
    CreateIndexesOutcome outcome =
        definitions.createIndexes(
            context.operation(), new CreateIndexesRequest(namespace, arguments.indexes));
    reply.appendInt32("numIndexesBefore", outcome.before());
    reply.appendInt32("numIndexesAfter", outcome.after());
    if (outcome.createdCollection()) {
      reply.appendBoolean("createdCollectionAutomatically", true);
    }
    if (outcome.before() == outcome.after()) {
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
