package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** {@code $elemMatch} with conditions on the elements: {@code {a: {$elemMatch: {$gt: 1}}}}. */
public record ElemMatchValue(FieldPath path, List<MatchExpression> conditions)
    implements ElemMatch {
  public ElemMatchValue {
    conditions = List.copyOf(conditions);
  }

  @Override
  public int firstMatch(RawValue array) {
    ElementCursor elements = array.elements();
    for (int i = 0; elements.next(); i++) {
      if (matchesAll(elements.value())) {
        return i;
      }
    }
    return -1;
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
