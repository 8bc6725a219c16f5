package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;

/**
 * The variables that can be seen at one place of an expression, innermost first. Each has a number,
 * its slot in the {@link Frame}; variables of expressions side by side share slots. Those of a
 * command's {@code let} are values; those that a stage around a pipeline gives have none yet.
 *
 * @param slot -1 for a value, -2 for a variable without one
 * @param value null unless it is one
 */
record Scope(Scope parent, String name, int slot, RawValue value) {
  private static final int NO_SLOT = -1;
  private static final int UNKNOWN = -2;

  static Scope ofValue(Scope parent, String name, RawValue value) {
    return new Scope(parent, name, NO_SLOT, value);
  }

  static Scope ofUnknown(Scope parent, String name) {
    return new Scope(parent, name, UNKNOWN, null);
  }

  /** A new variable inside this scope, which may be null. */
  static Scope ofSlot(Scope parent, String name) {
    return new Scope(parent, name, nextSlot(parent), null);
  }

  private static int nextSlot(Scope scope) {
    for (Scope each = scope; each != null; each = each.parent) {
      if (each.slot >= 0) {
        return each.slot + 1;
      }
    }
    return 0;
  }

  boolean isValue() {
    return slot == NO_SLOT;
  }

  boolean isUnknown() {
    return slot == UNKNOWN;
  }

  /** The innermost variable of this name, or null. */
  static Scope find(Scope scope, String name) {
    for (Scope each = scope; each != null; each = each.parent) {
      if (each.name.equals(name)) {
        return each;
      }
    }
    return null;
  }
}
