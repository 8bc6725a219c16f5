package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.IdReader;
import dev.wisent.database.exec.PlanSummary;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.storage.ReadView;

/**
 * The records that an update or delete is for: found in a snapshot, then latched and read again,
 * for another write may have changed them in between. A query by {@code _id} reads its document
 * only once, after the latch: an {@code _id} never changes.
 */
final class RecordFinder implements AutoCloseable {
  private final ReadView view;
  private final Collection collection;
  private final OperationContext operation;
  private final RecordReader reader;
  private final RunningPlan plan;
  private final RawValue id;
  private boolean pointDone;

  /** Made for the first update that asks. */
  private PositionalFilter positional;

  private long recordId;

  RecordFinder(
      WriteAccess access,
      Collection collection,
      MatchedRecords.Selection selection,
      OperationContext operation) {
    CollationChoice choice = selection.collation();
    this.view = access.view(operation);
    this.collection = collection;
    this.operation = operation;
    this.reader = new RecordReader(collection);
    this.id = Query.exactId(selection.query(), selection.hint(), choice, collection.collation());
    if (id == null) {
      Collation collation = choice.or(collection.collation());
      Query parsed =
          Query.write(selection.query(), selection.sort(), selection.hint(), collation, operation);
      this.plan = access.plans().plan(collection, parsed, operation).start();
    } else {
      Query.checkSort(selection.sort());
      this.plan = null;
      operation.planSummary(() -> PlanSummary.BY_ID);
      collection.idIndex().used();
    }
  }

  /** Moves to the next candidate. */
  boolean next() {
    if (plan != null) {
      boolean found = plan.next();
      recordId = found ? plan.recordId() : -1;
      return found;
    }
    if (pointDone) {
      return false;
    }
    pointDone = true;
    operation.examined(1, 0);
    recordId = IdReader.find(collection.idIndex().keyOf(id), collection, view);
    return recordId >= 0;
  }

  long recordId() {
    return recordId;
  }

  /** The record, which the unit has latched; null if it no longer exists or matches. */
  RawDocument readLatched(WriteUnit unit) {
    RawDocument current = unit.readLatched(reader, recordId);
    if (plan == null) {
      operation.examined(0, 1);
    }
    if (current == null || !unit.guard().owns(current)) {
      return null;
    }
    if (plan == null) {
      return current;
    }
    return current.equals(plan.document()) || plan.filter().matches(current) ? current : null;
  }

  /** Which array element the query has found in a document. */
  MatchDetails detailsOf(RawDocument document) {
    if (positional == null) {
      positional = PositionalFilter.of(plan == null ? null : plan.filter());
    }
    return positional.detailsOf(document);
  }

  @Override
  public void close() {
    if (plan != null) {
      plan.close();
    }
  }
}
