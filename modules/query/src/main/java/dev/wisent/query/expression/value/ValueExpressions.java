package dev.wisent.query.expression.value;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import dev.wisent.query.key.HashedValue;
import java.util.List;

/** The table of expressions that belong to no larger family. */
public final class ValueExpressions {
  public static final List<ExpressionRow> ROWS =
      List.of(
          ExpressionRow.unary("$binarySize", Family.DATA_SIZE, "4.4", ValueExpressions::binarySize),
          ExpressionRow.unary("$bsonSize", Family.DATA_SIZE, "4.4", ValueExpressions::bsonSize),
          ExpressionRow.unary("$tsSecond", Family.TIMESTAMP, "5.1", ValueExpressions::tsSecond),
          ExpressionRow.unary(
              "$tsIncrement", Family.TIMESTAMP, "5.1", ValueExpressions::tsIncrement),
          new ExpressionRow("$rand", Family.MISCELLANEOUS, "4.4.2", RandExpression::parse),
          ExpressionRow.unary(
              "$toHashedIndexKey", Family.MISCELLANEOUS, "4.4", ValueExpressions::hashed),
          new ExpressionRow("$meta", Family.TEXT, "2.6", MetaExpression::parse),
          new ExpressionRow("$function", Family.CUSTOM, "4.4", ScriptExpression::parse));

  private ValueExpressions() {}

  private static RawValue binarySize(RawValue value) {
    if (Values.isNullish(value)) {
      return RawValue.NULL;
    }
    return switch (value.type()) {
      case ElementType.STRING, ElementType.BINARY -> RawValue.ofInt32(value.length() - 5);
      default ->
          throw new CommandException(
              ErrorCode.BINARY_SIZE_TYPE,
              "$binarySize requires a string or BinData argument, found: "
                  + Values.typeName(value));
    };
  }

  private static RawValue bsonSize(RawValue value) {
    if (Values.isNullish(value)) {
      return RawValue.NULL;
    }
    if (!value.isDocument()) {
      throw new CommandException(
          ErrorCode.BSON_SIZE_TYPE,
          "$bsonSize requires a document input, found: " + Values.typeName(value));
    }
    return RawValue.ofInt32(value.length());
  }

  private static RawValue tsSecond(RawValue value) {
    return Values.isNullish(value)
        ? RawValue.NULL
        : RawValue.ofInt64(timestamp("$tsSecond", ErrorCode.TS_SECOND_TYPE, value) >>> 32);
  }

  private static RawValue tsIncrement(RawValue value) {
    return Values.isNullish(value)
        ? RawValue.NULL
        : RawValue.ofInt64(
            timestamp("$tsIncrement", ErrorCode.TS_INCREMENT_TYPE, value) & 0xFFFFFFFFL);
  }

  private static long timestamp(String name, ErrorCode code, RawValue value) {
    if (value.type() != ElementType.TIMESTAMP) {
      throw new CommandException(
          code, " Argument to " + name + " must be a timestamp, but is " + Values.typeName(value));
    }
    return value.asInt64();
  }

  private static RawValue hashed(RawValue value) {
    return RawValue.ofInt64(HashedValue.of(Values.nullIfMissing(value)));
  }
}
