package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** {@code $elemMatch} with conditions on the elements: {@code {a: {$elemMatch: {$gt: 1}}}}. */
public record ElemMatchValue(FieldPath path, List<MatchExpression> conditions, WorkMeter meter)
    implements ElemMatch {
  /** Shorter arrays, in bytes, are no work worth to be counted. */
  private static final int LONG_ARRAY = 256;

  public ElemMatchValue {
    conditions = List.copyOf(conditions);
  }

  @Override
  public int firstMatch(RawValue array) {
    int work = array.length() < LONG_ARRAY ? 0 : WorkMeter.ITEM * leaves(conditions);
    ElementCursor elements = array.elements();
    for (int i = 0; elements.next(); i++) {
      if (work > 0) {
        meter.add(work);
      }
      if (matchesAll(elements.value())) {
        return i;
      }
    }
    return -1;
  }

  /** How many conditions may be asked about one element. */
  private static int leaves(List<MatchExpression> conditions) {
    int count = 0;
    for (int i = 0; i < conditions.size(); i++) {
      count +=
          switch (conditions.get(i)) {
            case AndMatch and -> leaves(and.children());
            case OrMatch or -> leaves(or.children());
            case NorMatch nor -> leaves(nor.children());
            case NotMatch not -> leaves(List.of(not.child()));
            default -> 1;
          };
    }
    return count;
  }

  private boolean matchesAll(RawValue element) {
    for (int i = 0; i < conditions.size(); i++) {
      if (!conditions.get(i).matchesValue(element)) {
        return false;
      }
    }
    return true;
  }
}
