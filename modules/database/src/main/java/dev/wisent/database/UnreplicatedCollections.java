package dev.wisent.database;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings collections that a replica set does not replicate from one store into another: when a
 * standalone becomes a member of a set, or a node that never was in one becomes a standalone again.
 *
 * <p>Nothing else uses the stores meanwhile. A collection is copied as a whole and is on disk
 * before it goes from where it was, so after a crash what is still there is copied again, in the
 * place of what the first attempt has left.
 */
public final class UnreplicatedCollections {
  private static final int BATCH = 1000;
  private static final int BATCH_BYTES = 4 << 20;

  private final LocalDatabase from;
  private final LocalDatabase to;
  private final OperationContext operation;

  private UnreplicatedCollections(
      LocalDatabase from, LocalDatabase to, OperationContext operation) {
    this.from = from;
    this.to = to;
    this.operation = operation;
  }

  /** Whether a store has such collections. */
  public static boolean areIn(LocalDatabase database) {
    return !of(database).isEmpty();
  }

  private static List<Collection> of(LocalDatabase database) {
    return database.catalog().all().stream()
        .filter(collection -> collection.namespace().isNodeLocal())
        .toList();
  }

  public static void move(LocalDatabase from, LocalDatabase to, OperationContext operation) {
    var move = new UnreplicatedCollections(from, to, operation);
    of(from).forEach(move::move);
  }

  private void move(Collection collection) {
    CollectionDefinition definition = collection.definition();
    Namespace namespace = definition.namespace();
    Collection unfinished = to.catalog().find(namespace);
    if (unfinished != null) {
      to.changes().drop(unfinished, operation);
    }
    Collection copy =
        to.changes().create(namespace, definition.options(), definition.uuid(), operation);
    copyDocuments(namespace);
    List<RawDocument> specs =
        definition.indexes().stream()
            .filter(index -> !index.isId())
            .map(IndexDefinition::spec)
            .toList();
    if (!specs.isEmpty()) {
      to.changes().addIndexes(copy, specs, operation);
    }
    to.flush();
    from.changes().drop(collection, operation);
  }

  private void copyDocuments(Namespace namespace) {
    try (ResultCursor documents =
        from.find(operation, FindRequest.of(namespace, RawDocument.EMPTY))) {
      List<RawDocument> batch = new ArrayList<>();
      int bytes = 0;
      RawDocument document;
      while ((document = documents.peek()) != null) {
        batch.add(RawDocument.of(document.toByteArray()));
        bytes += document.length();
        documents.take();
        if (batch.size() == BATCH || bytes >= BATCH_BYTES) {
          insert(namespace, batch);
          batch.clear();
          bytes = 0;
        }
      }
      if (!batch.isEmpty()) {
        insert(namespace, batch);
      }
    }
  }

  private void insert(Namespace namespace, List<RawDocument> batch) {
    var failures = to.insert(operation, new InsertRequest(namespace, batch, true, true)).failures();
    if (!failures.isEmpty()) {
      throw failures.getFirst().error();
    }
  }
}
