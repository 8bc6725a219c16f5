package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.pipeline.window.WindowBounds.Bound;
import dev.wisent.query.expression.Expression;

/** The value of the document at one end of a window. */
final class EdgeValue {
  private static final RawValue ZERO = RawValue.ofInt32(0);

  private final Expression input;

  /** Whether the end never leaves the partition's first document. */
  private final boolean fixed;

  /** Whether the end lies before the current document. */
  private final boolean behind;

  /** Where it lies behind, the values from the end to the current document. */
  private final ValueQueue passed = new ValueQueue();

  private RawValue first;
  private boolean known;

  private EdgeValue(Expression input, boolean fixed, boolean behind) {
    this.input = input;
    this.fixed = fixed;
    this.behind = behind;
  }

  /** The first document of such windows. */
  static EdgeValue first(Expression input, WindowBounds bounds) {
    // Before the current document there may be others with the same sort value.
    int behindFrom = bounds.ranged() ? 0 : -1;
    return new EdgeValue(input, bounds.onlyGrows(), compareToZero(bounds.lower()) <= behindFrom);
  }

  /** The last document of such windows. */
  static EdgeValue last(Expression input, WindowBounds bounds) {
    return new EdgeValue(input, false, compareToZero(bounds.upper()) < 0);
  }

  /** Positive for bounds that are no offsets. */
  private static int compareToZero(Bound bound) {
    return bound.kind() == Bound.Kind.OFFSET ? ValueOrder.compare(bound.offset(), ZERO) : 1;
  }

  void restart() {
    passed.clear();
    known = false;
  }

  /** Notes the current document; to be called for each, before its window is asked for. */
  void pass(Partition partition) {
    if (behind || (fixed && !known)) {
      RawValue value = input.evaluate(partition.frame(partition.position()));
      if (behind) {
        passed.add(value);
      } else {
        first = value == null ? null : value.detached();
        known = true;
      }
    }
  }

  /** The value at the end, which has the given number; null where it is missing. */
  RawValue at(long number, Partition partition) {
    if (fixed) {
      return first;
    }
    if (behind) {
      passed.dropBefore(number);
      return passed.get(number);
    }
    return input.evaluate(partition.frame(number));
  }

  long bytes() {
    return passed.bytes();
  }
}
