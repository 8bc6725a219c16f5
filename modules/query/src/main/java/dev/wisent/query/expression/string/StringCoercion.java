package dev.wisent.query.expression.string;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.arithmetic.NumberText;
import dev.wisent.query.expression.date.DateFormat;

/** Values as text, where {@code $toLower}, {@code $substr} and others take more than strings. */
public final class StringCoercion {
  private StringCoercion() {}

  public static String of(RawValue value) {
    if (Values.isNullish(value)) {
      return "";
    }
    return switch (value.type()) {
      case ElementType.STRING, ElementType.SYMBOL, ElementType.CODE -> value.asString();
      case ElementType.INT32, ElementType.INT64 -> Long.toString(value.toLong());
      case ElementType.DOUBLE -> NumberText.of(value.asDouble());
      case ElementType.DECIMAL128 -> value.asDecimal128().toString();
      case ElementType.DATE -> DateFormat.iso(value.asInt64());
      default ->
          throw new CommandException(
              ErrorCode.STRING_COERCION,
              "can't convert from BSON type " + Values.typeName(value) + " to String");
    };
  }
}
