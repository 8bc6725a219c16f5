package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;

/**
 * A function of the values in a window that documents also leave. What comes in is added and what
 * goes is taken out again, so that a document costs the same however wide the window is.
 */
final class SlidingFunction extends RunningFunction {
  private final WindowEnds ends;
  private final Expression input;
  private final WindowState state;

  /** The values of the window, and those between it and the current document if it lies behind. */
  private final ValueQueue values = new ValueQueue();

  /** The document whose value is added next. */
  private long added;

  private RawValue result;
  private boolean known;

  SlidingFunction(WindowEnds ends, Expression input, WindowState state) {
    this.ends = ends;
    this.input = input;
    this.state = state;
  }

  @Override
  void restart() {
    ends.restart();
    values.clear();
    state.reset();
    added = 0;
    known = false;
  }

  @Override
  RawValue next(Partition partition) {
    ends.move(partition);
    takeOut(ends.lower());
    long upper = ends.upper();
    read(partition, Math.max(upper, partition.position() + 1));
    for (; added < upper; added++) {
      RawValue value = values.get(added);
      state.add(value);
      partition.keep(length(value));
      known = false;
    }
    if (!known) {
      result = state.result(values, ends.lower(), upper);
      known = true;
    }
    return result;
  }

  private void takeOut(long lower) {
    if (values.isEmpty() || values.first() >= lower) {
      return;
    }
    known = false;
    if (lower >= added) {
      // Nothing stays, so that nothing of what was computed inexactly stays either.
      state.reset();
      added = lower;
      values.dropBefore(lower);
      return;
    }
    while (values.first() < lower) {
      state.remove(values, values.first());
      values.drop();
    }
  }

  private void read(Partition partition, long to) {
    if (values.isEmpty()) {
      long next = Math.max(ends.lower(), Math.max(added, partition.position()));
      values.startAt(next);
      added = Math.max(added, next);
    }
    for (long i = values.end(); i < to; i++) {
      RawValue value = input.evaluate(partition.frame(i));
      values.add(value);
      partition.keep(length(value));
    }
  }

  private static int length(RawValue value) {
    return value == null ? 1 : 1 + value.length();
  }

  @Override
  long bytes() {
    return values.bytes() + state.bytes() + ends.bytes();
  }
}
