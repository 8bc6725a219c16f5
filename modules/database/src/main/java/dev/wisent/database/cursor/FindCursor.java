package dev.wisent.database.cursor;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.CursorState;
import dev.wisent.database.exec.PlanExecutor;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.FixedView;
import java.util.UUID;

/**
 * The results of a find, from its plan. Between commands only the place is kept; the next command
 * goes on from there in a newer state, unless the collection or an index it reads has gone or
 * changed its name meanwhile.
 */
public final class FindCursor implements PlannedCursor {
  private final PlanExecutor plans;
  private final Collection collection;
  private final Namespace namespace;
  private final RunningPlan plan;
  private final boolean showRecordId;
  private final Tailing tailing;
  private final BsonBuilder shaped;
  private OperationContext operation;
  private long left;
  private RawDocument ahead;
  private boolean planEnded;
  private boolean detached;

  /** Null where the next batch is read in the newest state, or in that of its operation. */
  private CursorState state;

  /** Whether the first batch is over. A collection that has nothing for it cannot be tailed. */
  private boolean continued;

  private long tailVersion;

  /**
   * @param tailVersion the version of the collection's end before the plan was started
   */
  public FindCursor(
      PlanExecutor plans,
      RunningPlan plan,
      FindRequest request,
      long tailVersion,
      OperationContext operation) {
    this.plans = plans;
    this.collection = plan.collection();
    this.namespace = request.namespace();
    this.plan = plan;
    this.showRecordId = request.showRecordId();
    this.shaped = showRecordId ? new BsonBuilder() : null;
    this.left = request.limit() == 0 ? Long.MAX_VALUE : request.limit();
    this.tailing = request.tailing();
    this.tailVersion = tailVersion;
    this.operation = operation;
  }

  @Override
  public RawDocument peek() {
    if (ahead == null && left > 0 && !planEnded) {
      ahead = fetch();
    }
    return ahead;
  }

  @Override
  public void take() {
    ahead = null;
    left--;
  }

  private RawDocument fetch() {
    if (plan.next()) {
      return showRecordId ? withRecordId() : plan.document();
    }
    if (tailing == Tailing.NONE || (!continued && collection.documents() == 0)) {
      planEnded = true;
    }
    return null;
  }

  private RawDocument withRecordId() {
    shaped.reset(0);
    shaped.appendAll(plan.document());
    shaped.appendInt64("$recordId", plan.recordId());
    shaped.end();
    return new RawDocument(shaped.bytes(), 0, shaped.position());
  }

  @Override
  public boolean isExhausted() {
    return left == 0 || (planEnded && ahead == null);
  }

  @Override
  public boolean isTailable() {
    return tailing != Tailing.NONE;
  }

  @Override
  public boolean awaitsData() {
    return tailing == Tailing.AWAIT_DATA;
  }

  @Override
  public void awaitMore(long timeoutMillis) {
    OperationContext current = operation;
    long deadlineNanos = current.clock().monotonicNanos() + timeoutMillis * 1_000_000;
    current.wakeup().during(() -> awaitUntil(deadlineNanos, current), collection.tail()::signal);
  }

  private void awaitUntil(long deadlineNanos, OperationContext current) {
    while (peek() == null && !isExhausted()) {
      long leftMillis = (deadlineNanos - current.clock().monotonicNanos()) / 1_000_000;
      if (leftMillis <= 0) {
        return;
      }
      current.checkNow();
      long seen = tailVersion;
      detach();
      try {
        collection.tail().awaitChange(seen, current.millisLeft(leftMillis));
      } catch (InterruptedException e) {
        throw current.threadInterrupted();
      }
      attach(current);
    }
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = RawDocument.of(ahead.toByteArray());
    }
    if (!continued && plan.view() != null) {
      state = plans.ownership().cursorState(namespace, plan.view(), operation);
    }
    plan.suspend();
    operation = null;
    detached = true;
    continued = true;
  }

  @Override
  public void attach(OperationContext under) {
    if (!detached) {
      return;
    }
    under.acquire(collection.definitionLock());
    detached = false;
    operation = under;
    FixedView view;
    try {
      checkStillThere();
      if (isTailable()) {
        // Before the view is fixed: what comes after it changes the version again.
        tailVersion = collection.tail().version();
      }
      FixedView kept = state == null ? null : state.view();
      view = kept == null ? plans.view(under) : kept;
    } finally {
      collection.definitionLock().unlock();
    }
    plan.resume(view, under);
  }

  private void checkStillThere() {
    UUID uuid = collection.definition().uuid();
    if (collection.isReplaced()) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "operation was interrupted");
    }
    if (collection.isDropped()) {
      throw killed("collection dropped. UUID " + uuid);
    }
    if (!collection.namespace().equals(namespace)) {
      throw killed(
          "collection renamed from '%s' to '%s'. UUID %s"
              .formatted(namespace, collection.namespace(), uuid));
    }
    plan.forEachIndex(this::checkStillThere);
  }

  private void checkStillThere(Index index) {
    if (!collection.indexes().contains(index)) {
      throw killed("query plan killed :: index '" + index.name() + "' dropped");
    }
  }

  private static CommandException killed(String why) {
    return new CommandException(ErrorCode.QUERY_PLAN_KILLED, why);
  }

  @Override
  public PlanNode plan() {
    return plan.stats().node();
  }

  @Override
  public void close() {
    plan.close();
    if (state != null) {
      state.close();
      state = null;
    }
  }
}
