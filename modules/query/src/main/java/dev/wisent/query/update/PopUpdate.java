package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;
import java.util.List;

/** {@code $pop}: takes away the first or the last element. */
record PopUpdate(boolean first) implements FieldOperator {
  static PopUpdate parse(String path, RawValue argument) {
    if (!argument.isNumber()) {
      throw failedToParse("Expected a number in: " + ElementText.of(path, argument));
    }
    var count = IntegerArgument.parse(argument);
    if (count.isEmpty()) {
      throw failedToParse("Expected an integer: " + ElementText.of(path, argument));
    }
    if (Math.abs(count.getAsLong()) != 1) {
      throw failedToParse("$pop expects 1 or -1, found: " + count.getAsLong());
    }
    return new PopUpdate(count.getAsLong() < 0);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    if (!current.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Path '"
              + target.path()
              + "' contains an element of non-array type '"
              + ElementType.alias(current.type())
              + "'");
    }
    List<RawValue> elements = ArrayValues.of(current);
    int size = elements.size();
    if (size == 0) {
      return null;
    }
    return ArrayValues.toArray(first ? elements.subList(1, size) : elements.subList(0, size - 1));
  }

  @Override
  public RawValue create() {
    return null;
  }

  private static CommandException failedToParse(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
