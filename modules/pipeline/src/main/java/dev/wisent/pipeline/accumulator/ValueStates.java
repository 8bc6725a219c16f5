package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;

/** States of an accumulator that is shown one value after the other. */
public abstract class ValueStates extends AccumulatorStates {
  /** The type of a value that is missing. */
  public static final byte MISSING = 0;

  private final Expression input;

  protected ValueStates(Expression input) {
    this.input = input;
  }

  @Override
  public final void add(int group, Frame frame) {
    add(group, input.evaluate(frame));
  }

  /** Adds a value, which is null where it is missing. */
  public final void add(int group, RawValue value) {
    if (value == null) {
      add(group, MISSING, null, 0, 0);
    } else {
      add(group, value.type(), value.bytes(), value.offset(), value.length());
    }
  }

  /**
   * Adds a value that lies somewhere, without an object for it. Nothing of the array is kept.
   *
   * @param type {@link #MISSING} where there is none
   */
  public abstract void add(int group, byte type, byte[] bytes, int offset, int length);
}
