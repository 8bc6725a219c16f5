package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** The table of bitwise expressions: of ints an int, and a long if there is one among them. */
final class BitFunctions {
  static final List<ExpressionRow> ROWS =
      List.of(
          row("$bitAnd", -1, (a, b) -> a & b),
          row("$bitOr", 0, (a, b) -> a | b),
          row("$bitXor", 0, (a, b) -> a ^ b),
          NumberFunctions.row("$bitNot", Family.BITWISE, "6.3", BitFunctions::not));

  private BitFunctions() {}

  private static ExpressionRow row(String name, long neutral, LongBinaryOperator operator) {
    return ExpressionRow.variadic(
        name, Family.BITWISE, "6.3", values -> combine(name, neutral, operator, values));
  }

  private static RawValue combine(
      String name, long neutral, LongBinaryOperator operator, RawValue[] values) {
    long result = neutral;
    boolean wide = false;
    for (RawValue value : values) {
      if (Values.isNullish(value)) {
        return RawValue.NULL;
      }
      requireInteger(name, value);
      wide |= value.type() == ElementType.INT64;
      result = operator.applyAsLong(result, value.toLong());
    }
    return wide ? RawValue.ofInt64(result) : RawValue.ofInt32((int) result);
  }

  private static void requireInteger(String name, RawValue value) {
    if (value.type() != ElementType.INT32 && value.type() != ElementType.INT64) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, name + " only supports int and long operands.");
    }
  }

  private static RawValue not(RawValue value) {
    return switch (value.type()) {
      case ElementType.INT32 -> RawValue.ofInt32(~value.asInt32());
      case ElementType.INT64 -> RawValue.ofInt64(~value.asInt64());
      default ->
          throw new CommandException(
              ErrorCode.TYPE_MISMATCH,
              "$bitNot only supports int and long, not: " + Values.typeName(value) + ".");
    };
  }
}
