package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.update.element.FieldName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The {@code $sort} of a {@code $push}: whole elements, or embedded documents by their fields. */
final class PushSort {
  private final Comparator<RawValue> comparator;

  private PushSort(Comparator<RawValue> comparator) {
    this.comparator = comparator;
  }

  /** Null where there is no {@code $sort}. */
  static PushSort parse(RawValue argument, UpdateContext context) {
    if (argument == null) {
      return null;
    }
    Comparator<RawValue> values = (a, b) -> Collation.compare(context.collation(), a, b);
    if (argument.isDocument()) {
      return new PushSort(parsePattern(argument, values));
    }
    if (!argument.isNumber()) {
      throw badValue(
          "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort"
              + " embedded fields");
    }
    return new PushSort(direction(argument) > 0 ? values : values.reversed());
  }

  /** Stable, as MongoDB's. */
  void apply(List<RawValue> elements) {
    elements.sort(comparator);
  }

  private static Comparator<RawValue> parsePattern(RawValue pattern, Comparator<RawValue> values) {
    Comparator<RawValue> result = null;
    ElementCursor cursor = pattern.elements();
    while (cursor.next()) {
      int direction = direction(cursor.value());
      List<FieldName> path = parsePath(cursor.name());
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

  private static List<FieldName> parsePath(String field) {
    if (field.isEmpty()) {
      throw badValue("The $sort field cannot be empty");
    }
    var path = new ArrayList<FieldName>();
    for (String part : field.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw badValue("The $sort field is a dotted field but has an empty part: " + field);
      }
      path.add(FieldName.of(part));
    }
    return path;
  }

  /** A missing field, and any field of an element that is no document, sorts as null. */
  private static RawValue extract(RawValue element, List<FieldName> path) {
    if (!element.isDocument()) {
      return RawValue.NULL;
    }
    RawValue current = element;
    for (FieldName name : path) {
      if (!current.isDocument() && !current.isArray()) {
        return RawValue.NULL;
      }
      current = current.asDocument().get(name.utf8());
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
