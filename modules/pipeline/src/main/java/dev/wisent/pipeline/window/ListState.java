package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;

/**
 * {@code $push}, {@code $firstN} and {@code $lastN} of a window that moves: the values as they
 * stand in the window.
 */
final class ListState extends WindowState {
  private final boolean withMissing;
  private final long firstMax;
  private final long lastMax;

  private ListState(boolean withMissing, long firstMax, long lastMax) {
    this.withMissing = withMissing;
    this.firstMax = firstMax;
    this.lastMax = lastMax;
  }

  /** All values; missing ones are left out. */
  static ListState push() {
    return new ListState(false, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** The first values; missing ones become null. */
  static ListState firstN(long count) {
    return new ListState(true, count, Long.MAX_VALUE);
  }

  /** The last values; missing ones become null. */
  static ListState lastN(long count) {
    return new ListState(true, Long.MAX_VALUE, count);
  }

  @Override
  void add(RawValue value) {
    // They are in the window's queue.
  }

  @Override
  void remove(ValueQueue values, long number) {
    // They are in the window's queue.
  }

  @Override
  void reset() {
    // Nothing is kept.
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    var out = new ArrayBuilder();
    long first = to - from > lastMax ? to - lastMax : from;
    long end = to - first > firstMax ? first + firstMax : to;
    for (long i = first; i < end; i++) {
      RawValue value = values.get(i);
      if (value != null || withMissing) {
        out.add(value);
      }
    }
    return out.build();
  }
}
