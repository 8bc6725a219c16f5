package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $elemMatch} with conditions on fields: {@code {a: {$elemMatch: {x: 1, y: 2}}}}. An element
 * that is an array is looked at as a document with the fields "0", "1" and so on.
 */
public record ElemMatchObject(FieldPath path, MatchExpression condition, WorkMeter meter)
    implements ElemMatch {
  @Override
  public int firstMatch(RawValue array) {
    ElementCursor elements = array.elements();
    for (int i = 0; elements.next(); i++) {
      if (elements.type() == ElementType.DOCUMENT || elements.type() == ElementType.ARRAY) {
        if (condition.matches(asDocument(elements), 0, null)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static RawValue asDocument(ElementCursor element) {
    return new RawValue(
        ElementType.DOCUMENT, element.bytes(), element.valueOffset(), element.valueLength());
  }
}
