package dev.wisent.query.expression;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.Arrays;

/**
 * What an expression is evaluated in: the document, and the variables by number. A frame belongs to
 * one thread and is used for one document after the other.
 *
 * <p>Variables that are set count as work, so an expression that loops over elements ends where the
 * query has to.
 */
public final class Frame {
  private static final RawValue[] NO_SLOTS = {};

  private final WorkMeter meter;
  private RawDocument root;
  private RawValue[] slots = NO_SLOTS;

  public Frame(WorkMeter meter) {
    this(meter, RawDocument.EMPTY);
  }

  public Frame(WorkMeter meter, RawDocument root) {
    this.meter = meter;
    this.root = root;
  }

  /** For expressions that depend on nothing, and take no time. */
  public static Frame ofConstants() {
    return new Frame(WorkMeter.unchecked());
  }

  /** Goes on to another document. The variables keep their values. */
  public Frame on(RawDocument document) {
    root = document;
    return this;
  }

  public RawDocument root() {
    return root;
  }

  /** The value of a variable; null where it is missing. */
  public RawValue get(int slot) {
    return slots[slot];
  }

  public void set(int slot, RawValue value) {
    if (slot >= slots.length) {
      slots = Arrays.copyOf(slots, slot + 4);
    }
    slots[slot] = value;
    meter.add(0);
  }

  /** Counts what an expression has looked at. */
  public WorkMeter meter() {
    return meter;
  }
}
