package dev.wisent.cluster.shard.resharding;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.RangeTables;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import java.util.List;
import java.util.UUID;

/** The documents that a shard keeps of resharding operations. Thread-safe. */
final class ReshardingStore {
  static final Namespace DONORS = new Namespace("config", "localReshardingOperations.donor");
  static final Namespace RECIPIENTS =
      new Namespace("config", "localReshardingOperations.recipient");

  private final Operations documents;
  private final Definitions definitions;
  private final RangeTables tables;
  private final Clock clock;

  ReshardingStore(Operations documents, Definitions definitions, RangeTables tables, Clock clock) {
    this.documents = documents;
    this.definitions = definitions;
    this.tables = tables;
    this.clock = clock;
  }

  /** An operation of its own that ends with another one. */
  OperationContext partOf(OperationContext operation) {
    OperationContext part = OperationContext.internal(clock);
    part.stopCheck(operation::checkNow);
    part.writes().inTermOf(operation.writes());
    return part;
  }

  /** How many attempts there were; 0 for none. */
  long attempt(OperationContext operation, Namespace role, UUID id, String donor) {
    try (ResultCursor cursor =
        documents.find(partOf(operation), FindRequest.of(role, id(id, donor)))) {
      RawDocument found = cursor.peek();
      return found == null ? 0 : DocumentFields.number(found, "attempt");
    }
  }

  void attempt(
      OperationContext operation,
      Namespace role,
      Namespace namespace,
      UUID id,
      String donor,
      long number) {
    create(operation, role);
    tables.replace(
        partOf(operation),
        role,
        new BsonBuilder()
            .appendAll(id(id, donor))
            .appendString("ns", namespace.full())
            .appendInt64("attempt", number)
            .toDocument());
  }

  private void create(OperationContext operation, Namespace role) {
    if (definitions.find(role) != null) {
      return;
    }
    try {
      definitions.create(partOf(operation), new CreateRequest(role, RawDocument.EMPTY, null));
    } catch (CommandException e) {
      // Another donor may be faster.
      if (e.code() != ErrorCode.NAMESPACE_EXISTS) {
        throw e;
      }
    }
  }

  private static RawDocument id(UUID id, String donor) {
    return new BsonBuilder()
        .startDocument("_id")
        .appendUuid("id", id)
        .appendString("donor", donor)
        .end()
        .toDocument();
  }

  /** Forgets all of an operation, in both roles. */
  void forget(OperationContext operation, UUID id, List<String> donors) {
    for (Namespace role : List.of(DONORS, RECIPIENTS)) {
      if (definitions.find(role) != null) {
        donors.forEach(donor -> tables.delete(partOf(operation), role, id(id, donor)));
      }
    }
  }
}
