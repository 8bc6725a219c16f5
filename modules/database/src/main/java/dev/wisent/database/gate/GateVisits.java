package dev.wisent.database.gate;

/** Which gates one thread is inside of, and how often it has entered each. */
final class GateVisits {
  /** Mostly the only one; null if there is none. */
  private Visit innermost;

  /** A thread inside of a gate. */
  static final class Visit {
    final WriteGate gate;
    final int stripe;
    private Visit outer;
    int depth = 1;

    private Visit(WriteGate gate, int stripe, Visit outer) {
      this.gate = gate;
      this.stripe = stripe;
      this.outer = outer;
    }
  }

  /** The thread comes into a gate. */
  Visit add(WriteGate gate, int stripe) {
    innermost = new Visit(gate, stripe, innermost);
    return innermost;
  }

  /** Null where the thread is outside. */
  Visit find(WriteGate gate) {
    Visit visit = innermost;
    while (visit != null && visit.gate != gate) {
      visit = visit.outer;
    }
    return visit;
  }

  void remove(Visit ended) {
    if (innermost == ended) {
      innermost = ended.outer;
      return;
    }
    Visit inner = innermost;
    while (inner.outer != ended) {
      inner = inner.outer;
    }
    inner.outer = ended.outer;
  }
}
