package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.date.TimeUnit;

/**
 * Which documents around the current one a window holds.
 *
 * @param ranged whether the bounds are distances from the current sort value; else they count
 *     documents
 * @param unit what distances of dates are counted in; null for numbers
 */
record WindowBounds(boolean ranged, Bound lower, Bound upper, TimeUnit unit) {
  /** The whole partition. */
  static final WindowBounds ALL = ofDocuments(Bound.UNBOUNDED, Bound.UNBOUNDED);

  /** All documents up to the current one. */
  static final WindowBounds UP_TO_CURRENT = ofDocuments(Bound.UNBOUNDED, Bound.CURRENT);

  /**
   * One end of a window.
   *
   * @param offset where it is, counted from the current document; null where the kind says it
   */
  record Bound(Kind kind, RawValue offset) {
    static final Bound UNBOUNDED = new Bound(Kind.UNBOUNDED, null);
    static final Bound CURRENT = new Bound(Kind.CURRENT, null);

    /** How an end is given. */
    enum Kind {
      UNBOUNDED,
      CURRENT,
      OFFSET
    }

    static Bound of(RawValue offset) {
      return new Bound(Kind.OFFSET, offset);
    }

    private RawValue toValue() {
      return switch (kind) {
        case UNBOUNDED -> RawValue.ofString("unbounded");
        case CURRENT -> RawValue.ofString("current");
        case OFFSET -> offset;
      };
    }

    private long documents(long unbounded) {
      return switch (kind) {
        case UNBOUNDED -> unbounded;
        case CURRENT -> 0;
        case OFFSET -> offset.toLong();
      };
    }
  }

  static WindowBounds ofDocuments(Bound lower, Bound upper) {
    return new WindowBounds(false, lower, upper, null);
  }

  /** Whether documents never leave the window. */
  boolean onlyGrows() {
    return lower.kind() == Bound.Kind.UNBOUNDED;
  }

  /**
   * The ends for one run over documents.
   *
   * @param sortBy the value that documents are sorted by; null unless there is just one
   */
  WindowEnds ends(Expression sortBy) {
    return ranged
        ? new RangeEnds(this, sortBy)
        : new DocumentEnds(lower.documents(DocumentEnds.FIRST), upper.documents(DocumentEnds.LAST));
  }

  /** Appends {@code window: …} as explain shows it. */
  void explain(BsonBuilder out) {
    out.startDocument("window").startArray(ranged ? "range" : "documents");
    out.append(0, lower.toValue()).append(1, upper.toValue()).end();
    if (unit != null) {
      out.appendString("unit", unit.text());
    }
    out.end();
  }
}
