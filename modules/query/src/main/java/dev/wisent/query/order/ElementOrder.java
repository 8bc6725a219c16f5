package dev.wisent.query.order;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import java.util.Comparator;
import java.util.List;

/**
 * The order of array elements in the {@code $sort} of a {@code $push} and in {@code $sortArray}:
 * whole elements, or embedded documents by their fields.
 */
public final class ElementOrder {
  private final Comparator<RawValue> comparator;

  private ElementOrder(Comparator<RawValue> comparator) {
    this.comparator = comparator;
  }

  /** Null where there is no {@code $sort}. */
  public static ElementOrder parse(RawValue argument, Collation collation) {
    if (argument == null) {
      return null;
    }
    Comparator<RawValue> values = (a, b) -> Collation.compare(collation, a, b);
    if (argument.isDocument()) {
      return new ElementOrder(parsePattern(argument, values));
    }
    if (!argument.isNumber()) {
      throw badValue(
          "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort"
              + " embedded fields");
    }
    return new ElementOrder(direction(argument) > 0 ? values : values.reversed());
  }

  /** Stable, as MongoDB's. */
  public void apply(List<RawValue> elements) {
    elements.sort(comparator);
  }

  private static Comparator<RawValue> parsePattern(RawValue pattern, Comparator<RawValue> values) {
    Comparator<RawValue> result = null;
    ElementCursor cursor = pattern.elements();
    while (cursor.next()) {
      int direction = direction(cursor.value());
      FieldPath path = parsePath(cursor.name());
      Comparator<RawValue> byField = Comparator.comparing(e -> extract(e, path), values);
      Comparator<RawValue> directed = direction > 0 ? byField : byField.reversed();
      result = result == null ? directed : result.thenComparing(directed);
    }
    if (result == null) {
      throw badValue("The $sort pattern is empty when it should be a set of fields.");
    }
    return result;
  }

  private static int direction(RawValue value) {
    double direction = value.isNumber() ? value.toDouble() : 0;
    if (direction != 1 && direction != -1) {
      throw badValue("The $sort element value must be either 1 or -1");
    }
    return (int) direction;
  }

  private static FieldPath parsePath(String field) {
    if (field.isEmpty()) {
      throw badValue("The $sort field cannot be empty");
    }
    FieldPath path = FieldPath.of(field);
    for (int i = 0; i < path.length(); i++) {
      if (path.name(i).isEmpty()) {
        throw badValue("The $sort field is a dotted field but has an empty part: " + field);
      }
    }
    return path;
  }

  /** A missing field, and any field of an element that is no document, sorts as null. */
  private static RawValue extract(RawValue element, FieldPath path) {
    if (!element.isDocument()) {
      return RawValue.NULL;
    }
    RawValue current = element;
    for (int i = 0; i < path.length(); i++) {
      if (!current.isDocument() && !current.isArray()) {
        return RawValue.NULL;
      }
      current = current.asDocument().get(path.part(i));
      if (current == null) {
        return RawValue.NULL;
      }
    }
    return current;
  }

  private static CommandException badValue(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
