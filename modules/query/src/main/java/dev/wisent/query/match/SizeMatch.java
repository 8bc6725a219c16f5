package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/** {@code $size}: an array of so many elements. */
public record SizeMatch(FieldPath path, int size, WorkMeter meter) implements PathMatch {
  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    try {
      return new SizeMatch(path, IntegerOperand.toNonNegativeInt(operand), parser.meter());
    } catch (CommandException e) {
      throw MatchErrors.badValue("Failed to parse $size. " + e.getMessage());
    }
  }

  @Override
  public String operator() {
    return "$size";
  }

  @Override
  public boolean expandsLeafArrays() {
    return false;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null || !value.isArray()) {
      return false;
    }
    ElementCursor elements = value.elements();
    int count = 0;
    while (count <= size && elements.next()) {
      count++;
    }
    return count == size;
  }
}
