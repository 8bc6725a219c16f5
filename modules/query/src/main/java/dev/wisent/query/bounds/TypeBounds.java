package dev.wisent.query.bounds;

import dev.wisent.bson.ElementType;
import dev.wisent.query.match.TypeMatch;
import java.util.ArrayList;
import java.util.List;

/** The values of types. */
final class TypeBounds {
  private TypeBounds() {}

  static PredicateBounds of(TypeMatch match) {
    if (match.accepts(ElementType.ARRAY)) {
      // Arrays have keys for their elements, of whichever type.
      return PredicateBounds.all(Tightness.FETCH);
    }
    var intervals = new ArrayList<Interval>();
    Tightness tightness = Tightness.EXACT;
    for (byte type : types()) {
      if (match.accepts(type)) {
        intervals.add(TypeBracket.of(type));
        tightness = tightness.or(tightness(match, type));
      }
    }
    return new PredicateBounds(Intervals.union(intervals), tightness);
  }

  /** Null and undefined are also the keys of nothing and of empty arrays; some types share keys. */
  private static Tightness tightness(TypeMatch match, byte type) {
    if (type == ElementType.NULL || type == ElementType.UNDEFINED) {
      return Tightness.FETCH;
    }
    for (byte other : types()) {
      if (ElementType.rank(other) == ElementType.rank(type) && !match.accepts(other)) {
        return Tightness.KEY;
      }
    }
    return Tightness.EXACT;
  }

  private static List<Byte> types() {
    var types = new ArrayList<Byte>();
    for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
      if (ElementType.isKnown((byte) type)) {
        types.add((byte) type);
      }
    }
    return types;
  }
}
