package dev.wisent.database.exec;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.database.planner.Query;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryOperation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.Metadata;
import dev.wisent.storage.FixedView;
import java.util.List;
import java.util.function.Consumer;

/**
 * The plan of a query at work: what a cursor or a write takes its rows from. For one thread at a
 * time.
 *
 * <p>The state of the store is fixed before the plan is made. A writer tells an index of its first
 * array before it commits, so what the index says after the state was fixed is true of that state.
 */
public final class RunningPlan implements AutoCloseable {
  private final Collection collection;
  private final MatchExpression filter;
  private final boolean carrying;
  private final QueryOperation queryOperation;
  private OperationContext operation;
  private FixedView view;
  private PlanChoice choice;
  private Row row;
  private boolean started;
  private long keysTold;
  private long documentsTold;

  /**
   * @param query null for one by {@code _id} alone
   * @param view null for a query by {@code _id} alone, which reads the newest state; closed with
   *     the plan
   */
  RunningPlan(
      Collection collection,
      Query query,
      FixedView view,
      PlanChoice choice,
      OperationContext operation) {
    this.collection = collection;
    this.filter = query == null ? null : query.filter();
    this.carrying = query != null && query.removesMetadata();
    this.view = view;
    this.choice = choice;
    this.operation = operation;
    this.queryOperation = operation.query();
  }

  public Collection collection() {
    return collection;
  }

  /** The state that is read; null where that is the newest at any time, and between batches. */
  public FixedView view() {
    return view;
  }

  /** The whole query; null for one by {@code _id} alone. */
  public MatchExpression filter() {
    return filter;
  }

  public StageStats stats() {
    return choice.root().stats();
  }

  /** The plans that competed, the winner first; none if there was no race. */
  public List<PlanCandidate> candidates() {
    return choice.candidates();
  }

  /** Moves to the next row; false at the end. */
  public boolean next() {
    try {
      return advance();
    } catch (CommandException e) {
      boolean tooLarge = e.code() == ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED;
      if (!tooLarge || started || choice.chooser() == null) {
        throw e;
      }
      // The cache did not know how much there would be to sort; another plan may do without.
      replace(true);
      return advance();
    }
  }

  private boolean advance() {
    row = choice.rows().poll();
    if (row != null) {
      started = true;
      return true;
    }
    Step root = choice.root();
    while (true) {
      switch (root.work()) {
        case ADVANCED -> {
          started = true;
          return true;
        }
        case NEED_TIME -> {
          if (root.stats().works > choice.worksMax() && giveUp()) {
            return advance();
          }
        }
        case END -> {
          return false;
        }
      }
    }
  }

  /** Has a plan from the cache replaced that takes far too long; whether that is still possible. */
  private boolean giveUp() {
    replace(!started);
    return !started;
  }

  private void replace(boolean now) {
    choice = choice.replaced(now);
    PlanNode plan = stats().node();
    operation.planSummary(() -> PlanSummary.of(plan));
  }

  public long recordId() {
    return row != null ? row.recordId() : choice.root().recordId();
  }

  /** The document; its bytes stay valid until the next move. Null where only a key is there. */
  public RawDocument document() {
    RawDocument document = row != null ? row.document() : choice.root().document();
    return carrying ? Metadata.remove(document) : document;
  }

  /** The values of the key that the row was found by, where that is all there is. */
  public RawDocument keyDocument() {
    return row != null ? row.key() : choice.root().keyDocument();
  }

  /** Calls back with each index that must still exist for the plan to go on. */
  public void forEachIndex(Consumer<Index> action) {
    choice.root().forEachIndex(action);
  }

  /** Lets go of the store and the operation, and keeps the place. */
  public void suspend() {
    tell();
    choice.root().suspend();
    closeView();
    operation = null;
  }

  /** Goes on in a newer state, which is closed with the plan. */
  public void resume(FixedView newer, OperationContext under) {
    view = newer;
    operation = under;
    queryOperation.moveTo(under);
    choice = choice.settled();
    choice.root().resume(newer, under);
  }

  /** Tells the operation what has been looked at since it was told last. */
  private void tell() {
    if (operation == null) {
      return;
    }
    long keys = stats().totalKeysExamined();
    long documents = stats().totalDocumentsExamined();
    operation.examined(keys - keysTold, documents - documentsTold);
    keysTold = keys;
    documentsTold = documents;
  }

  private void closeView() {
    if (view != null) {
      view.close();
      view = null;
    }
  }

  @Override
  public void close() {
    tell();
    choice.root().close();
    closeView();
    operation = null;
  }
}
