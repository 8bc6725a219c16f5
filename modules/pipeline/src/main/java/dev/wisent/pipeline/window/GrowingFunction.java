package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Frame;

/** A function of a window that documents come into and never leave. */
final class GrowingFunction extends RunningFunction {
  private final WindowEnds ends;
  private final Gathered gathered;

  /** The document that is added next. */
  private long added;

  private RawValue result;
  private boolean known;

  /** What is made of the documents that have come. */
  interface Gathered {
    void restart();

    void add(Frame frame);

    /** What comes out so far, valid until more is added; null where that is missing. */
    RawValue result();

    long bytes();
  }

  GrowingFunction(WindowEnds ends, Gathered gathered) {
    this.ends = ends;
    this.gathered = gathered;
  }

  @Override
  void restart() {
    ends.restart();
    gathered.restart();
    added = 0;
    known = false;
  }

  @Override
  RawValue next(Partition partition) {
    ends.move(partition);
    for (; added < ends.upper(); added++) {
      Frame frame = partition.frame(added);
      gathered.add(frame);
      partition.keep(frame.root().length());
      known = false;
    }
    if (!known) {
      result = gathered.result();
      known = true;
    }
    return result;
  }

  @Override
  boolean ownsValue() {
    return true;
  }

  @Override
  long oldest() {
    return added;
  }

  @Override
  long bytes() {
    return gathered.bytes() + ends.bytes();
  }
}
