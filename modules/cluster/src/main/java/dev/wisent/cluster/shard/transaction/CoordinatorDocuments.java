package dev.wisent.cluster.shard.transaction;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.CoordinatorStore;
import dev.wisent.operation.OperationContext;
import java.util.List;

/**
 * Commits that are under way, as documents of {@code config.transaction_coordinators}: MongoDB's
 * fields, and beside them what the coordinator itself needs.
 */
final class CoordinatorDocuments implements CoordinatorStore {
  private static final String NAME = "transaction_coordinators";
  private static final String RUN = "run";

  private final CatalogStore store;

  CoordinatorDocuments(CatalogStore store) {
    this.store = store;
  }

  @Override
  public List<RawDocument> all(OperationContext operation) {
    return store.find(operation, NAME, RawDocument.EMPTY).stream()
        .map(stored -> stored.get(RUN).asDocument())
        .toList();
  }

  @Override
  public void put(OperationContext operation, RawDocument document) {
    RawDocument arguments = document.get("arguments").asDocument();
    var out = new BsonBuilder(512);
    out.append("_id", key(document.get("_id")));
    out.append("lsid", arguments.get("lsid")).append("txnNumber", arguments.get("txnNumber"));
    out.append("participants", arguments.get("participants"));
    RawValue time = document.get("data").asDocument().get(CommitCoordinator.TIME);
    if (time != null) {
      out.startDocument("decision").appendString("decision", "commit");
      out.append("commitTimestamp", time).end();
    } else if (document.get("failure") != null) {
      out.startDocument("decision").appendString("decision", "abort");
      out.append("abortStatus", document.get("failure")).end();
    }
    out.appendDocument(RUN, document);
    store.put(operation, NAME, out.toDocument());
  }

  @Override
  public void remove(OperationContext operation, RawValue id) {
    store.remove(operation, NAME, key(id));
  }

  /** The resource of a run tells one transaction from all others. */
  private static RawValue key(RawValue id) {
    return id.asDocument().get("namespace");
  }
}
