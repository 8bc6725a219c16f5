package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the argument of a projected {@code $slice}: a number, or {@code [skip, limit]}. What is
 * neither MongoDB tries as the aggregation expression of the same name, and reports that one's
 * errors.
 */
final class SliceArgument {
  private static final int EXPRESSION_ARGUMENTS_MIN = 2;
  private static final int EXPRESSION_ARGUMENTS_MAX = 3;

  private SliceArgument() {}

  /** Null where it can only be the expression. */
  static FieldAction.Slice parse(RawValue argument, RawDocument operator) {
    if (argument.isNumber()) {
      return new FieldAction.Slice(null, toInt(argument));
    }
    if (!argument.isArray()) {
      throw wrongCount(
          operator, "Location31273: $slice only supports numbers and [skip, limit] arrays", 1);
    }
    List<RawValue> arguments = values(argument);
    if (arguments.size() < EXPRESSION_ARGUMENTS_MIN
        || arguments.size() > EXPRESSION_ARGUMENTS_MAX) {
      throw wrongCount(
          operator,
          "Location31272: $slice array argument should be of form [skip, limit]",
          arguments.size());
    }
    if (arguments.size() == 2
        && arguments.get(0).isNumber()
        && arguments.get(1).isNumber()
        && toInt(arguments.get(1)) > 0) {
      return new FieldAction.Slice(toInt(arguments.get(0)), toInt(arguments.get(1)));
    }
    return null;
  }

  private static List<RawValue> values(RawValue array) {
    var values = new ArrayList<RawValue>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  /** Cut to whole numbers and to the range of int; NaN is 0. */
  private static int toInt(RawValue number) {
    return Math.clamp(number.toLong(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static CommandException wrongCount(RawDocument operator, String reason, int count) {
    return new CommandException(
        ErrorCode.SLICE_ARGUMENT_COUNT,
        "Invalid $slice syntax. The given syntax "
            + ValueText.of(operator)
            + " did not match the find() syntax because :: "
            + reason
            + " :: The given syntax did not match the expression $slice syntax. :: caused by ::"
            + " Expression $slice takes at least 2 arguments, and at most 3, but "
            + count
            + " were passed in.");
  }
}
