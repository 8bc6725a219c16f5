package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.order.ElementOrder;
import dev.wisent.query.update.element.StorageRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code $push}: adds values at a position, then sorts, then cuts. Without {@code $each} the whole
 * argument is the one value.
 */
record PushUpdate(
    List<RawValue> values, OptionalLong position, OptionalLong slice, ElementOrder sort)
    implements FieldOperator {
  PushUpdate {
    values = List.copyOf(values);
  }

  static PushUpdate parse(RawValue argument, UpdateContext context) {
    if (!argument.isDocument() || argument.asDocument().get("$each") == null) {
      return new PushUpdate(List.of(argument), OptionalLong.empty(), OptionalLong.empty(), null);
    }
    checkClauses(argument);
    var clauses = argument.asDocument();
    return new PushUpdate(
        parseEach(clauses.get("$each")),
        parsePosition(clauses.get("$position")),
        parseSlice(clauses.get("$slice")),
        ElementOrder.parse(clauses.get("$sort"), context.collation()));
  }

  private static void checkClauses(RawValue argument) {
    var seen = new HashSet<String>();
    ElementCursor cursor = argument.elements();
    while (cursor.next()) {
      String name = cursor.name();
      switch (name) {
        case "$each", "$position", "$slice", "$sort" -> {
          if (!seen.add(name)) {
            throw badValue("Only one " + name + " is supported.");
          }
        }
        default -> throw badValue("Unrecognized clause in $push: " + name);
      }
    }
  }

  private static List<RawValue> parseEach(RawValue each) {
    if (!each.isArray()) {
      throw badValue(
          "The argument to $each in $push must be an array but it was of type: "
              + ElementType.alias(each.type()));
    }
    return ArrayValues.of(each);
  }

  private static OptionalLong parsePosition(RawValue position) {
    if (position == null) {
      return OptionalLong.empty();
    }
    OptionalLong parsed = IntegerArgument.parse(position);
    if (parsed.isEmpty()) {
      throw badValue(
          "The value for $position must be an integer value, not of type: "
              + ElementType.alias(position.type()));
    }
    return parsed;
  }

  private static OptionalLong parseSlice(RawValue slice) {
    if (slice == null) {
      return OptionalLong.empty();
    }
    OptionalLong parsed = IntegerArgument.parse(slice);
    if (parsed.isEmpty()) {
      throw badValue(
          "The value for $slice must be an integer value but was given type: "
              + ElementType.alias(slice.type()));
    }
    return parsed;
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    if (!current.isArray()) {
      throw badValue(
          "The field '"
              + target.path()
              + "' must be an array but is of type "
              + ElementType.alias(current.type())
              + " in document {"
              + target.documentId()
              + "}");
    }
    if (position.isEmpty() && slice.isEmpty() && sort == null) {
      return values.isEmpty() ? null : ArrayValues.append(current, values);
    }
    List<RawValue> elements = ArrayValues.of(current);
    int sizeBefore = elements.size();
    List<RawValue> result = pushInto(elements);
    // MongoDB counts a $sort as a modification even where the order was right already.
    boolean modified = !values.isEmpty() || sort != null || result.size() != sizeBefore;
    return modified ? ArrayValues.toArray(result) : null;
  }

  @Override
  public RawValue create() {
    return ArrayValues.toArray(pushInto(new ArrayList<>()));
  }

  private List<RawValue> pushInto(List<RawValue> elements) {
    elements.addAll(insertionPoint(elements.size()), values);
    if (sort != null) {
      sort.apply(elements);
    }
    if (slice.isEmpty()) {
      return elements;
    }
    long wanted = slice.getAsLong();
    int size = elements.size();
    int kept = (int) Math.min(size, wanted == Long.MIN_VALUE ? size : Math.abs(wanted));
    return wanted >= 0 ? elements.subList(0, kept) : elements.subList(size - kept, size);
  }

  /** Negative positions count from the end; what lies outside means the nearer end. */
  private int insertionPoint(int size) {
    long wanted = position.orElse(size);
    if (wanted < 0) {
      return (int) Math.max(0, size + wanted);
    }
    return (int) Math.min(size, wanted);
  }

  @Override
  public int addedDepth() {
    int depth = 0;
    for (RawValue value : values) {
      depth = Math.max(depth, 1 + StorageRules.depthBelow(value));
    }
    return depth;
  }

  private static CommandException badValue(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
