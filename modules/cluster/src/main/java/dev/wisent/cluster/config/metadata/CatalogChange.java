package dev.wisent.cluster.config.metadata;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import java.util.List;

/**
 * The statements of one transaction on metadata. A document is replaced or deleted as it was seen:
 * if it has changed meanwhile, the whole transaction fails. Reads show what was before the
 * transaction: they do not see its own changes.
 */
public final class CatalogChange {
  private final CatalogStore store;
  private final OperationContext operation;

  CatalogChange(CatalogStore store, OperationContext operation) {
    this.store = store;
    this.operation = operation;
  }

  public List<RawDocument> find(String collection, FindRequest.Builder request) {
    return store.read(operation, collection, request);
  }

  /** Null where there is none. */
  public RawDocument findOne(String collection, RawDocument filter) {
    List<RawDocument> found = find(collection, new FindRequest.Builder().filter(filter).limit(1));
    return found.isEmpty() ? null : found.getFirst();
  }

  public void insert(String collection, List<RawDocument> documents) {
    if (!documents.isEmpty()) {
      var request = new InsertRequest(CatalogStore.namespace(collection), documents, true, false);
      CatalogStore.write(store.operations().insert(operation, request));
    }
  }

  public void insert(String collection, RawDocument document) {
    insert(collection, List.of(document));
  }

  /** Replaces a document that is still as it was seen. */
  public void replace(String collection, RawDocument seen, RawDocument document) {
    require(collection, seen);
    CatalogStore.write(
        store
            .operations()
            .update(
                operation, CatalogStore.replacement(collection, seen.get("_id"), document, false)));
  }

  /** Deletes a document that is still as it was seen. */
  public void delete(String collection, RawDocument seen) {
    require(collection, seen);
    deleteAll(collection, DocumentFields.byId(seen.get("_id")));
  }

  /** Deletes whatever matches; returns how many there were. */
  public long deleteAll(String collection, RawDocument filter) {
    return CatalogStore.write(
            store.operations().delete(operation, CatalogStore.deletion(collection, filter)))
        .matched();
  }

  /** Fails unless a document is still as it was seen. */
  public void require(String collection, RawDocument seen) {
    RawDocument now = findOne(collection, DocumentFields.byId(seen.get("_id")));
    if (!seen.equals(now)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "config.%s: the document %s has changed: it is %s"
              .formatted(
                  collection, ValueText.of(seen), now == null ? "deleted" : ValueText.of(now)));
    }
  }
}
