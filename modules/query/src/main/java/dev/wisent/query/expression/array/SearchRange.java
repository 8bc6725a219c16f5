package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;

/** The third and fourth argument of {@code $indexOfArray}, {@code $indexOfBytes} and the like. */
public final class SearchRange {
  private SearchRange() {}

  /** Where to start; 0 if there are only two arguments. */
  public static int start(String name, RawValue[] arguments) {
    return arguments.length < 3 ? 0 : number(name, "starting index", arguments[2]);
  }

  /** Where to end; as late as can be if there are only three arguments. */
  public static int end(String name, RawValue[] arguments) {
    return arguments.length < 4 ? Integer.MAX_VALUE : number(name, "ending index", arguments[3]);
  }

  private static int number(String name, String what, RawValue value) {
    if (!Values.isInt32(value)) {
      throw new CommandException(
          ErrorCode.INDEX_OF_NOT_INTEGER,
          name
              + "requires an integral "
              + what
              + ", found a value of type: "
              + Values.typeName(value)
              + ", with value: "
              + Values.text(value));
    }
    if (value.toLong() < 0) {
      throw new CommandException(
          ErrorCode.INDEX_OF_NEGATIVE,
          name + " requires a nonnegative " + what + ", found: " + Values.text(value));
    }
    return (int) value.toLong();
  }
}
