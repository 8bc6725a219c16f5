package dev.wisent.cluster.shard.transaction;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.CoordinatorStore;
import dev.wisent.cluster.coordinator.TermWrites;
import dev.wisent.cluster.shard.transaction.CommitFigures.Step;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.UUID;

/**
 * Commits that are under way, as documents of {@code config.transaction_coordinators}: MongoDB's
 * fields, and beside them what the coordinator itself needs.
 */
final class CoordinatorDocuments implements CoordinatorStore {
  private static final String NAME = "transaction_coordinators";
  private static final String RUN = "run";

  private final CatalogStore store;
  private final TermWrites writes;
  private final CommitFigures figures;

  CoordinatorDocuments(CatalogStore store, TermWrites writes, CommitFigures figures) {
    this.store = store;
    this.writes = writes;
    this.figures = figures;
  }

  @Override
  public List<RawDocument> all(OperationContext operation) {
    return store.find(operation, NAME, RawDocument.EMPTY).stream()
        .map(stored -> stored.get(RUN).asDocument())
        .toList();
  }

  /** What is stored of the commit of a transaction; null where that is not under way. */
  TransactionOutcome decision(OperationContext operation, String resource) {
    RawDocument stored = store.findById(operation, NAME, resource);
    if (stored == null) {
      return null;
    }
    RawValue decision = stored.get("decision");
    if (decision == null) {
      return TransactionOutcome.UNDECIDED;
    }
    RawValue time = decision.asDocument().get("commitTimestamp");
    return time == null ? TransactionOutcome.ABORTED : TransactionOutcome.committed(time.asInt64());
  }

  @Override
  public long term() {
    return writes.term();
  }

  @Override
  public void put(OperationContext operation, RawDocument document, long term) {
    RawDocument arguments = document.get("arguments").asDocument();
    var out = new BsonBuilder(512);
    out.append("_id", key(document.get("_id")));
    out.append("lsid", arguments.get("lsid")).append("txnNumber", arguments.get("txnNumber"));
    out.append("participants", arguments.get("participants"));
    Step step = Step.WRITING_DECISION;
    RawValue time = document.get("data").asDocument().get(CommitCoordinator.TIME);
    if (time != null) {
      out.startDocument("decision").appendString("decision", "commit");
      out.append("commitTimestamp", time).end();
    } else if (document.get("failure") != null) {
      out.startDocument("decision").appendString("decision", "abort");
      out.append("abortStatus", document.get("failure")).end();
    } else {
      step = Step.WRITING_PARTICIPANTS;
      figures.started();
    }
    out.appendDocument(RUN, document);
    RawDocument stored = out.toDocument();
    boolean decides = step == Step.WRITING_DECISION;
    figures.during(
        step, () -> writes.run(operation, term, decides, () -> store.put(operation, NAME, stored)));
  }

  @Override
  public void remove(OperationContext operation, RawValue id, RawDocument outcome, long term) {
    figures.during(
        Step.DELETING,
        () -> writes.run(operation, term, false, () -> store.remove(operation, NAME, key(id))));
  }

  /** The session's own record tells. */
  @Override
  public RawDocument outcome(OperationContext operation, UUID key) {
    return null;
  }

  /** The resource of a run tells one transaction from all others. */
  private static RawValue key(RawValue id) {
    return id.asDocument().get("namespace");
  }
}
