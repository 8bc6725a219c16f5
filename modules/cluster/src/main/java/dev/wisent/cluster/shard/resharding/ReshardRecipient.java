package dev.wisent.cluster.shard.resharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.cluster.shard.migration.CallOrder;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A shard that gets documents of a collection with another key. A document is of the donor that
 * owns its old key. One donor never touches what another has sent: a document that has moved
 * between donors comes from both, in any order. Thread-safe.
 */
final class ReshardRecipient {
  private static final int CLEARED_TOGETHER = 1000;

  private final ReshardingStore store;
  private final Operations documents;
  private final Definitions definitions;
  private final SessionCopies sessions;
  private final ReshardingFigures figures;

  /** One request of a donor at a time, so that an earlier primary of it comes to no late end. */
  private final CallOrder order;

  private record Source(UUID id, String donor) {}

  ReshardRecipient(
      ReshardingStore store,
      Operations documents,
      Definitions definitions,
      SessionCopies sessions,
      ReshardingFigures figures,
      CallOrder order) {
    this.store = store;
    this.documents = documents;
    this.definitions = definitions;
    this.sessions = sessions;
    this.figures = figures;
    this.order = order;
  }

  /**
   * Where documents come from.
   *
   * @param target the temporary collection
   * @param number which call of the donor's primary brings them
   * @param owned what the donor owns of the old collection; null for all of it
   */
  record Delivery(
      UUID id, Resharding.Target target, String donor, CallNumber number, OwnedRanges owned) {
    long attempt() {
      return number.attempt();
    }

    boolean isOf(RawDocument document) {
      return owned == null || owned.owns(document);
    }
  }

  private void inTurn(
      OperationContext operation,
      Delivery delivery,
      Consumer<BsonBuilder> work,
      BsonBuilder reply) {
    order.run(
        operation,
        new Source(delivery.id, delivery.donor),
        delivery.number,
        fields -> {
          CollectionInfo target = definitions.find(delivery.target.namespace());
          if (target == null || !delivery.target.uuid().equals(target.uuid())) {
            throw new CommandException(
                ErrorCode.OPERATION_FAILED,
                "the collection " + delivery.target.namespace() + " has gone");
          }
          work.accept(fields);
        },
        reply);
  }

  private long known(OperationContext operation, Delivery delivery) {
    return definitions.find(ReshardingStore.RECIPIENTS) == null
        ? 0
        : store.attempt(operation, ReshardingStore.RECIPIENTS, delivery.id, delivery.donor);
  }

  /** Begins; what an earlier primary of the donor has sent is deleted. */
  void start(OperationContext operation, Delivery delivery, BsonBuilder reply) {
    inTurn(
        operation,
        delivery,
        fields -> {
          long before = known(operation, delivery);
          if (before > delivery.attempt()) {
            throw late(delivery);
          }
          store.attempt(
              operation,
              ReshardingStore.RECIPIENTS,
              delivery.target.namespace(),
              delivery.id,
              delivery.donor,
              delivery.attempt());
          if (before != 0) {
            clear(operation, delivery);
          }
        },
        reply);
  }

  private static CommandException late(Delivery delivery) {
    return new CommandException(
        ErrorCode.OPERATION_FAILED,
        "another primary of shard " + delivery.donor + " copies the collection");
  }

  private void clear(OperationContext operation, Delivery delivery) {
    FindRequest all = FindRequest.of(delivery.target.namespace(), RawDocument.EMPTY);
    var ids = new ArrayList<RawDocument>();
    OperationContext reading = store.partOf(operation);
    try (ResultCursor found = documents.find(reading, all)) {
      for (RawDocument each; (each = found.peek()) != null; ) {
        operation.checkInterrupt();
        if (delivery.isOf(each)) {
          ids.add(RawDocument.of(DocumentFields.byId(each.get("_id")).toByteArray()));
        }
        found.take();
        if (ids.size() == CLEARED_TOGETHER) {
          found.detach();
          delete(operation, delivery.target.namespace(), ids);
          ids.clear();
          found.attach(reading);
        }
      }
    }
    delete(operation, delivery.target.namespace(), ids);
  }

  /**
   * Deletes documents by their {@code _id}, then stores others; a document of the donor that was
   * there is replaced. The reply names those that another document does not let in.
   */
  void take(
      OperationContext operation,
      Delivery delivery,
      List<RawDocument> gone,
      List<RawDocument> given,
      BsonBuilder reply) {
    inTurn(
        operation,
        delivery,
        fields -> {
          if (known(operation, delivery) != delivery.attempt()) {
            throw late(delivery);
          }
          deleteOwn(operation, delivery, gone);
          insert(operation, delivery, given, fields);
        },
        reply);
  }

  /** Deletes those of some documents that the donor has sent. */
  private void deleteOwn(OperationContext operation, Delivery delivery, List<RawDocument> ids) {
    if (ids.isEmpty()) {
      return;
    }
    var own = new ArrayList<RawDocument>();
    FindRequest request = FindRequest.of(delivery.target.namespace(), any(ids));
    try (ResultCursor found = documents.find(store.partOf(operation), request)) {
      for (RawDocument each; (each = found.peek()) != null; found.take()) {
        if (delivery.isOf(each)) {
          own.add(RawDocument.of(DocumentFields.byId(each.get("_id")).toByteArray()));
        }
      }
    }
    delete(operation, delivery.target.namespace(), own);
  }

  /** Matches documents that have one of these {@code _id}s. */
  private static RawDocument any(List<RawDocument> ids) {
    var filter = new BsonBuilder();
    filter.startDocument("_id").startArray("$in");
    for (int i = 0; i < ids.size(); i++) {
      filter.append(i, ids.get(i).get("_id"));
    }
    return filter.end().end().toDocument();
  }

  /** As one statement, so that many of them are in one entry of the log. */
  private void delete(OperationContext operation, Namespace namespace, List<RawDocument> ids) {
    if (ids.isEmpty()) {
      return;
    }
    OperationContext part = store.partOf(operation);
    OperationState.ofMigration(part);
    var statement = new DeleteStatement(any(ids), true, null);
    WriteOutcome outcome =
        documents.delete(part, new DeleteRequest(namespace, List.of(statement), true));
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }

  private void insert(
      OperationContext operation, Delivery delivery, List<RawDocument> given, BsonBuilder reply) {
    if (given.isEmpty()) {
      return;
    }
    Namespace namespace = delivery.target.namespace();
    List<RawDocument> there = tryInsert(operation, namespace, given, null);
    if (!there.isEmpty()) {
      deleteOwn(
          operation,
          delivery,
          there.stream().map(each -> DocumentFields.byId(each.get("_id"))).toList());
      List<RawDocument> left = tryInsert(operation, namespace, there, reply);
      if (!left.isEmpty()) {
        List<RawDocument> ids =
            left.stream().map(each -> DocumentFields.byId(each.get("_id"))).toList();
        reply.append("conflicts", DocumentFields.arrayOf(ids));
      }
    }
    figures.received(given);
  }

  /** Those whose {@code _id}, or another unique key, is taken; the reply says by what. */
  private List<RawDocument> tryInsert(
      OperationContext operation, Namespace namespace, List<RawDocument> given, BsonBuilder reply) {
    OperationContext part = store.partOf(operation);
    OperationState.ofMigration(part);
    var there = new ArrayList<RawDocument>();
    WriteOutcome outcome = documents.insert(part, new InsertRequest(namespace, given, false, true));
    for (WriteOutcome.Failure failure : outcome.failures()) {
      if (failure.error().code() != ErrorCode.DUPLICATE_KEY) {
        throw failure.error();
      }
      if (reply != null && there.isEmpty()) {
        reply.appendString("conflict", failure.error().getMessage());
      }
      there.add(given.get(failure.index()));
    }
    return there;
  }

  void takeSessions(
      OperationContext operation, Delivery delivery, List<RawDocument> copies, BsonBuilder reply) {
    inTurn(
        operation,
        delivery,
        fields -> {
          if (known(operation, delivery) != delivery.attempt()) {
            throw late(delivery);
          }
          sessions.add(copies, operation);
        },
        reply);
  }
}
