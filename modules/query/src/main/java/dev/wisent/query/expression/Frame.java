package dev.wisent.query.expression;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Arrays;

/**
 * What an expression is evaluated in: the document, and the variables by number. A frame belongs to
 * one thread and is used for one document after the other.
 */
public final class Frame {
  private static final RawValue[] NO_SLOTS = {};

  private RawDocument root;
  private RawValue[] slots = NO_SLOTS;

  public Frame() {
    this(RawDocument.EMPTY);
  }

  public Frame(RawDocument root) {
    this.root = root;
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
  }
}
