package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.update.element.StorageRules;
import java.util.List;

/** {@code $addToSet}: adds the values that the array does not hold yet. */
record AddToSetUpdate(List<RawValue> values, Collation collation) implements FieldOperator {
  static AddToSetUpdate parse(RawValue argument, UpdateContext context) {
    Collation collation = context.collation();
    List<RawValue> candidates = isEach(argument) ? parseEach(argument) : List.of(argument);
    return new AddToSetUpdate(List.copyOf(ValueSet.of(candidates, collation).values()), collation);
  }

  /** Only {@code $each} in the first place counts; elsewhere it is a name like any other. */
  private static boolean isEach(RawValue argument) {
    if (!argument.isDocument()) {
      return false;
    }
    ElementCursor cursor = argument.elements();
    return cursor.next() && cursor.name().equals("$each");
  }

  private static List<RawValue> parseEach(RawValue argument) {
    RawValue each = argument.asDocument().get("$each");
    if (!each.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The argument to $each in $addToSet must be an array but it was of type "
              + ElementType.alias(each.type()));
    }
    if (argument.asDocument().fieldCount() > 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Found unexpected fields after $each in $addToSet: " + ValueText.of(argument));
    }
    return ArrayValues.of(each);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    if (!current.isArray()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot apply $addToSet to non-array field. Field named '"
              + target.field()
              + "' has non-array type "
              + ElementType.alias(current.type()));
    }
    List<RawValue> missing = missing(current);
    return missing.isEmpty() ? null : ArrayValues.append(current, missing);
  }

  private List<RawValue> missing(RawValue array) {
    List<RawValue> present = ArrayValues.of(array);
    if (values.size() == 1) {
      RawValue wanted = values.getFirst();
      boolean found = present.stream().anyMatch(value -> Collation.equal(collation, value, wanted));
      return found ? List.of() : values;
    }
    ValueSet set = ValueSet.of(present, collation);
    return values.stream().filter(value -> !set.contains(value)).toList();
  }

  @Override
  public RawValue create() {
    return ArrayValues.toArray(values);
  }

  @Override
  public int addedDepth() {
    int depth = 0;
    for (RawValue value : values) {
      depth = Math.max(depth, 1 + StorageRules.depthBelow(value));
    }
    return depth;
  }
}
