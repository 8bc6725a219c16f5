package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * {@code _shardsvrClearShard}: config servers that are no shard any more forget what they have
 * owned, and drop what they have of sharded collections. These own no documents: all are orphans.
 * What the cluster does not know of stays.
 */
final class ClearShardCommand implements Command {
  private static final Namespace COORDINATORS =
      new Namespace("config", "system.sharding_ddl_coordinators");

  private static final Namespace SHARDED = new Namespace("config", "collections");

  /** How long open cursors may take to end. */
  private static final long CURSORS_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final Operations documents;
  private final Definitions definitions;
  private final Ownership ownership;
  private final TableWriter tables;

  ClearShardCommand(
      Operations documents, Definitions definitions, Ownership ownership, TableWriter tables) {
    this.ownership = ownership;
    this.documents = documents;
    this.definitions = definitions;
    this.tables = tables;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue coordinator = request.argument();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    OperationContext operation = context.operation();
    // Those that go on in a state of the time when this was a shard; they would fail.
    ownership.awaitTables(
        operation, any -> ownership.cursorStates().counts().cursors() == 0, CURSORS_NANOS_MAX);
    tables.clear(
        operation,
        () -> {
          requireRunning(operation, coordinator);
          dropAll(operation);
        });
  }

  /**
   * A coordinator that has ended has cleared the shard already, which may be one again. Those that
   * run cannot end meanwhile: their own request waits for this one.
   */
  private void requireRunning(OperationContext operation, RawValue coordinator) {
    RawDocument filter =
        new BsonBuilder().startDocument("id").append("$eq", coordinator).end().toDocument();
    if (find(operation, COORDINATORS, filter).isEmpty()) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "The coordinator that asks for this has ended");
    }
  }

  /** Those that the cluster knows, too: a migration may have ended when it had made one. */
  private void dropAll(OperationContext operation) {
    for (OwnedRanges owned : ownership.tables().collections().values()) {
      drop(operation, owned.namespace(), owned.uuid());
    }
    for (RawDocument each : find(operation, SHARDED, RawDocument.EMPTY)) {
      CollectionDocument sharded = CollectionDocument.of(each);
      drop(operation, sharded.namespace(), sharded.uuid());
    }
  }

  private void drop(OperationContext operation, Namespace namespace, UUID uuid) {
    CollectionInfo existing = definitions.find(namespace);
    if (existing != null && uuid.equals(existing.uuid()) && !namespace.isInternal()) {
      OperationContext part = partOf(operation);
      // Change streams know nothing of what a shard does for itself.
      OperationState.ofMigration(part);
      definitions.drop(part, namespace);
    }
  }

  private List<RawDocument> find(
      OperationContext operation, Namespace collection, RawDocument filter) {
    var found = new ArrayList<RawDocument>();
    try (ResultCursor cursor =
        documents.find(partOf(operation), FindRequest.of(collection, filter))) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        found.add(each.detached());
      }
    }
    return found;
  }

  private static OperationContext partOf(OperationContext operation) {
    OperationContext part = OperationContext.internal(operation.clock());
    part.stopCheck(operation::checkNow);
    return part;
  }
}
