package dev.wisent.database.exec;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/**
 * One step of a plan at work. Each call of {@link #work} does one small piece, so that several
 * plans can take turns, and counts what it did. For one thread at a time.
 *
 * <p>A step reads from the view that it was opened or resumed with. {@link #suspend} lets go of the
 * view and keeps the place, so that the plan can go on later in a newer state.
 */
public abstract class Step implements AutoCloseable {
  /** What a call of {@link #work} came to. */
  public enum Outcome {
    /** There is a row. */
    ADVANCED,
    /** No row yet; call again. */
    NEED_TIME,
    END
  }

  final StageStats stats;
  private Clock timedBy;

  Step(StageStats stats) {
    this.stats = stats;
  }

  /** Takes the time of this step and those below it from now on. */
  void time(Clock clock) {
    timedBy = clock;
  }

  public final Outcome work() {
    stats.works++;
    Outcome outcome = timedBy == null ? step() : timedStep();
    switch (outcome) {
      case ADVANCED -> stats.advanced++;
      case NEED_TIME -> stats.needTime++;
      case END -> stats.ended = true;
    }
    return outcome;
  }

  private Outcome timedStep() {
    long start = timedBy.monotonicNanos();
    try {
      return step();
    } finally {
      stats.nanos += timedBy.monotonicNanos() - start;
    }
  }

  /** Works until there is a row; false at the end. */
  public final boolean next() {
    while (true) {
      switch (work()) {
        case ADVANCED -> {
          return true;
        }
        case NEED_TIME -> {}
        case END -> {
          return false;
        }
      }
    }
  }

  public final StageStats stats() {
    return stats;
  }

  abstract Outcome step();

  public abstract long recordId();

  /** The document; its bytes stay valid until the next call. Null where only a key is there. */
  public abstract RawDocument document();

  /**
   * The values of the index key by which the row was found, under the paths of the index; null if
   * it was found in another way.
   */
  public RawDocument keyDocument() {
    return null;
  }

  /** The number in one part of the key that the row was found by. */
  double keyNumber(int part) {
    throw new IllegalStateException("no row of an index");
  }

  /** The index that the row was found by, or null. */
  Index index() {
    return null;
  }

  /** The entry's key in that index, ident included, in an array of its own; null without index. */
  byte[] indexKey() {
    return null;
  }

  /**
   * Whether the row was found in an older state than the one that is read now, so that the record
   * may no longer be what its key says.
   */
  boolean isFromBefore() {
    return false;
  }

  /** What can be said of the row without its document: the values of its key, nested. */
  final RawDocument documentOrKey() {
    RawDocument document = document();
    return document != null ? document : NestedFields.of(keyDocument());
  }

  /** Calls back with each index that must still exist for the step to go on. */
  abstract void forEachIndex(Consumer<Index> action);

  /** Lets go of the view; the current row stays readable. */
  public void suspend() {
    stats.suspended++;
    suspendStep();
  }

  abstract void suspendStep();

  abstract void resume(ReadView view, OperationContext under);

  @Override
  public abstract void close();
}
