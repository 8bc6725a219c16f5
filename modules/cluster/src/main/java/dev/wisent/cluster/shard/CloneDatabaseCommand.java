package dev.wisent.cluster.shard;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code _shardsvrCloneDatabase} copies collections of a database from the shard that has been its
 * primary, where writers wait, and what sessions have done there; {@code _shardsvrDropClone} takes
 * the copy back. A request ends an earlier one of the same database, whose coordinator has died,
 * and begins anew. Thread-safe.
 */
final class CloneDatabaseCommand {
  private final Definitions definitions;
  private final Operations documents;
  private final CreateCollectionCommand creation;
  private final DonorReads donors;
  private final SessionCopies sessions;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

  /** Whose turn it is in a database. */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile OperationContext running;
  }

  CloneDatabaseCommand(
      Definitions definitions,
      Operations documents,
      CreateCollectionCommand creation,
      DonorReads donors,
      SessionCopies sessions) {
    this.definitions = definitions;
    this.documents = documents;
    this.creation = creation;
    this.donors = donors;
    this.sessions = sessions;
  }

  /**
   * The arguments of both commands.
   *
   * @param collections entries of {@code listCollections}, with {@code indexes}
   */
  private record Arguments(String database, String from, List<RawDocument> collections) {
    static Arguments of(CommandRequest request) {
      String from = null;
      List<RawDocument> collections = null;
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "from" -> from = reader.string();
          case "collections" -> collections = reader.documents();
          case "id" -> {}
          default -> reader.unknown();
        }
      }
      if (collections == null) {
        throw ArgumentTypes.missing(request.name() + ".collections");
      }
      return new Arguments(ShardArguments.name(request), from, collections);
    }

    Namespace namespace(RawDocument entry) {
      return new Namespace(database, DocumentFields.text(entry, "name"));
    }
  }

  void copy(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments given = Arguments.of(request);
    if (given.from == null) {
      throw ArgumentTypes.missing(request.name() + ".from");
    }
    OperationState.ofMigration(context.operation());
    inTurn(
        given,
        context.operation(),
        () -> {
          dropCopies(given, context.operation());
          try (DonorReads.Donor donor = donors.connect(given.from, context.operation())) {
            for (RawDocument entry : given.collections) {
              copy(given.namespace(entry), entry, donor, context);
            }
            donor.sessions(batch -> sessions.add(batch, context.operation()));
          }
        });
  }

  void drop(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Arguments given = Arguments.of(request);
    OperationState.ofMigration(context.operation());
    inTurn(given, context.operation(), () -> dropCopies(given, context.operation()));
  }

  private void inTurn(Arguments given, OperationContext operation, Runnable work) {
    Turn turn = turns.computeIfAbsent(given.database, name -> new Turn());
    OperationContext before = turn.running;
    if (before != null) {
      before.kill(ErrorCode.INTERRUPTED);
    }
    operation.acquire(turn.lock);
    try {
      turn.running = operation;
      work.run();
    } finally {
      turn.running = null;
      turn.lock.unlock();
    }
  }

  private void copy(
      Namespace namespace, RawDocument entry, DonorReads.Donor donor, CommandContext context) {
    RawDocument options = DocumentFields.document(entry, "options");
    creation.create(
        namespace, uuid(entry), options, DocumentFields.documents(entry, "indexes"), context);
    if (!isView(entry)) {
      donor.read(namespace, batch -> insert(namespace, batch, context.operation()));
    }
  }

  private void insert(Namespace namespace, List<RawDocument> batch, OperationContext operation) {
    if (batch.isEmpty()) {
      return;
    }
    operation.checkNow();
    WriteOutcome outcome =
        documents.insert(operation, new InsertRequest(namespace, batch, true, true));
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }

  /** Null for a view. */
  private static UUID uuid(RawDocument entry) {
    return isView(entry) ? null : DocumentFields.document(entry, "info").get("uuid").asUuid();
  }

  private static boolean isView(RawDocument entry) {
    return "view".equals(DocumentFields.text(entry, "type"));
  }

  /** Drops what an earlier request has copied, and nothing else. */
  private void dropCopies(Arguments given, OperationContext operation) {
    for (RawDocument entry : given.collections) {
      Namespace namespace = given.namespace(entry);
      CollectionInfo existing = definitions.find(namespace);
      if (existing != null && Objects.equals(existing.uuid(), uuid(entry))) {
        definitions.drop(operation, namespace);
      }
    }
  }
}
