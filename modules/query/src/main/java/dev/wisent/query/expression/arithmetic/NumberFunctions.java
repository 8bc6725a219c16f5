package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.FunctionExpression.Unary;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.DecimalMath;
import dev.wisent.query.number.Decimals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.bson.types.Decimal128;

/** Functions of one number, or of two that are not symmetric: powers, logarithms, rounding. */
final class NumberFunctions {
  private static final int PRECISION_MIN = -20;
  private static final int PRECISION_MAX = 100;

  private NumberFunctions() {}

  /** A row for a function that is null for null and refuses what is no number. */
  static ExpressionRow row(String name, Family family, String since, Unary function) {
    return ExpressionRow.unary(
        name,
        family,
        since,
        value -> {
          if (Values.isNullish(value)) {
            return RawValue.NULL;
          }
          if (!value.isNumber()) {
            throw new CommandException(
                ErrorCode.NUMERIC_ARGUMENT,
                name + " only supports numeric types, not " + Values.typeName(value));
          }
          return function.apply(value);
        });
  }

  static RawValue abs(RawValue value) {
    switch (value.type()) {
      case ElementType.DOUBLE -> {
        return RawValue.ofDouble(Math.abs(value.asDouble()));
      }
      case ElementType.DECIMAL128 -> {
        return RawValue.ofDecimal128(Decimals.abs(value.asDecimal128()));
      }
      default -> {
        long number = value.toLong();
        if (number == Long.MIN_VALUE) {
          throw new CommandException(ErrorCode.ABS_OVERFLOW, "can't take $abs of long long min");
        }
        return value.type() == ElementType.INT64
            ? RawValue.ofInt64(Math.abs(number))
            : Values.intOrLong(Math.abs(number));
      }
    }
  }

  static RawValue ceil(RawValue value) {
    return switch (value.type()) {
      case ElementType.DOUBLE -> RawValue.ofDouble(Math.ceil(value.asDouble()));
      case ElementType.DECIMAL128 -> whole(value, RoundingMode.CEILING);
      default -> value;
    };
  }

  static RawValue floor(RawValue value) {
    return switch (value.type()) {
      case ElementType.DOUBLE -> RawValue.ofDouble(Math.floor(value.asDouble()));
      case ElementType.DECIMAL128 -> whole(value, RoundingMode.FLOOR);
      default -> value;
    };
  }

  private static RawValue whole(RawValue value, RoundingMode mode) {
    return RawValue.ofDecimal128(Decimals.round(value.asDecimal128(), 0, mode));
  }

  static RawValue exp(RawValue value) {
    return value.type() == ElementType.DECIMAL128
        ? RawValue.ofDecimal128(DecimalMath.exp(value.asDecimal128()))
        : RawValue.ofDouble(Math.exp(value.toDouble()));
  }

  static RawValue ln(RawValue value) {
    requirePositive(value, ErrorCode.LN_NOT_POSITIVE, "$ln's argument must be a positive number");
    return isLogarithmOfDecimal(value)
        ? RawValue.ofDecimal128(DecimalMath.ln(value.asDecimal128()))
        : RawValue.ofDouble(Math.log(value.toDouble()));
  }

  static RawValue log10(RawValue value) {
    requirePositive(
        value, ErrorCode.LOG10_NOT_POSITIVE, "$log10's argument must be a positive number");
    return isLogarithmOfDecimal(value)
        ? RawValue.ofDecimal128(DecimalMath.log10(value.asDecimal128()))
        : RawValue.ofDouble(Math.log10(value.toDouble()));
  }

  /** MongoDB 8.0 gives NaN as a double even where it is given one that is a decimal. */
  private static boolean isLogarithmOfDecimal(RawValue value) {
    return value.type() == ElementType.DECIMAL128 && !value.asDecimal128().isNaN();
  }

  private static void requirePositive(RawValue value, ErrorCode code, String complaint) {
    double number = value.toDouble();
    boolean positive =
        value.type() == ElementType.DECIMAL128
            ? Decimals.signum(value.asDecimal128()) > 0
            : number > 0;
    if (!positive && !Double.isNaN(number)) {
      throw new CommandException(code, complaint + ", but is " + NumberText.of(number));
    }
  }

  static RawValue log(RawValue value, RawValue base) {
    if (Values.isNullish(value) || Values.isNullish(base)) {
      return RawValue.NULL;
    }
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.LOG_ARGUMENT_TYPE,
          "$log's argument must be numeric, not " + Values.typeName(value));
    }
    if (!base.isNumber()) {
      throw new CommandException(
          ErrorCode.LOG_BASE_TYPE, "$log's base must be numeric, not " + Values.typeName(base));
    }
    requirePositive(
        value, ErrorCode.LOG_ARGUMENT_NOT_POSITIVE, "$log's argument must be a positive number");
    requirePositive(
        base, ErrorCode.LOG_BASE_ILLEGAL, "$log's base must be a positive number not equal to 1");
    if (base.toDouble() == 1) {
      throw new CommandException(
          ErrorCode.LOG_BASE_ILLEGAL,
          "$log's base must be a positive number not equal to 1, but is 1");
    }
    boolean decimal = Arithmetic.widest(value, base) == ElementType.DECIMAL128;
    return decimal && !Double.isNaN(value.toDouble()) && !Double.isNaN(base.toDouble())
        ? RawValue.ofDecimal128(DecimalMath.log(Decimals.of(value), Decimals.of(base)))
        : RawValue.ofDouble(Math.log(value.toDouble()) / Math.log(base.toDouble()));
  }

  static RawValue sqrt(RawValue value) {
    boolean negative =
        value.type() == ElementType.DECIMAL128
            ? Decimals.signum(value.asDecimal128()) < 0
            : value.toDouble() < 0;
    if (negative) {
      throw new CommandException(
          ErrorCode.SQRT_NEGATIVE, "$sqrt's argument must be greater than or equal to 0");
    }
    return value.type() == ElementType.DECIMAL128
        ? RawValue.ofDecimal128(DecimalMath.sqrt(value.asDecimal128()))
        : RawValue.ofDouble(Math.sqrt(value.toDouble()));
  }

  static RawValue pow(RawValue base, RawValue exponent) {
    if (Values.isNullish(base) || Values.isNullish(exponent)) {
      return RawValue.NULL;
    }
    if (!base.isNumber()) {
      throw new CommandException(
          ErrorCode.POW_BASE_TYPE, "$pow's base must be numeric, not " + Values.typeName(base));
    }
    if (!exponent.isNumber()) {
      throw new CommandException(
          ErrorCode.POW_EXPONENT_TYPE,
          "$pow's exponent must be numeric, not " + Values.typeName(exponent));
    }
    double x = base.toDouble();
    double y = exponent.toDouble();
    byte type = Arithmetic.widest(base, exponent);
    boolean zero = type == ElementType.DECIMAL128 ? Decimals.isZero(Decimals.of(base)) : x == 0;
    if (zero && y < 0) {
      throw new CommandException(
          ErrorCode.POW_ZERO_NEGATIVE, "$pow cannot take a base of 0 and a negative exponent");
    }
    return switch (type) {
      case ElementType.DECIMAL128 ->
          RawValue.ofDecimal128(DecimalMath.pow(Decimals.of(base), Decimals.of(exponent)));
      case ElementType.DOUBLE -> RawValue.ofDouble(realPow(x, y));
      default -> wholePow(base, exponent);
    };
  }

  /** With C, one to any power is one, and minus one to an infinite one. */
  private static double realPow(double x, double y) {
    return x == 1 || (x == -1 && Double.isInfinite(y)) ? 1 : Math.pow(x, y);
  }

  /** A long, or a double where it does not fit. */
  private static RawValue wholePow(RawValue base, RawValue exponent) {
    long x = base.toLong();
    long y = exponent.toLong();
    if (x == 1 || y == 0) {
      return Arithmetic.integer(1, base, exponent);
    }
    if (x == -1) {
      return Arithmetic.integer(y % 2 == 0 ? 1 : -1, base, exponent);
    }
    if (x == 0) {
      return Arithmetic.integer(0, base, exponent);
    }
    if (y < 0 || y >= Long.SIZE) {
      return RawValue.ofDouble(Math.pow(x, y));
    }
    long result = 1;
    for (long i = 0; i < y; i++) {
      long high = Math.multiplyHigh(result, x);
      result *= x;
      if (high != result >> 63) {
        return RawValue.ofDouble(Math.pow(x, y));
      }
    }
    return Arithmetic.integer(result, base, exponent);
  }

  static RawValue round(RawValue[] arguments) {
    return rounded("$round", arguments, RoundingMode.HALF_EVEN);
  }

  static RawValue trunc(RawValue[] arguments) {
    return rounded("$trunc", arguments, RoundingMode.DOWN);
  }

  private static RawValue rounded(String name, RawValue[] arguments, RoundingMode mode) {
    RawValue value = arguments[0];
    if (Values.isNullish(value)) {
      return RawValue.NULL;
    }
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.ROUND_TYPE,
          name + " only supports numeric types, not " + Values.typeName(value));
    }
    int precision = 0;
    if (arguments.length > 1) {
      if (Values.isNullish(arguments[1])) {
        return RawValue.NULL;
      }
      precision = precision(name, arguments[1]);
    }
    return switch (value.type()) {
      case ElementType.DECIMAL128 ->
          RawValue.ofDecimal128(Decimals.roundIfRoom(value.asDecimal128(), precision, mode));
      case ElementType.DOUBLE -> roundedDouble(value, precision, mode);
      default -> roundedInteger(name, value, precision, mode);
    };
  }

  private static int precision(String name, RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.LONG_COERCION,
          "can't convert from BSON type " + Values.typeName(value) + " to long");
    }
    if (!Values.isInt32(value)) {
      throw new CommandException(
          ErrorCode.ROUND_PRECISION_TYPE,
          "precision argument to  " + name + " must be a integral value");
    }
    long precision = value.toLong();
    if (precision < PRECISION_MIN || precision > PRECISION_MAX) {
      throw new CommandException(
          ErrorCode.ROUND_PRECISION_RANGE,
          "cannot apply "
              + name
              + " with precision value "
              + precision
              + " value must be in [-20, 100]");
    }
    return (int) precision;
  }

  private static RawValue roundedDouble(RawValue value, int precision, RoundingMode mode) {
    double number = value.asDouble();
    if (!(Math.abs(number) <= Double.MAX_VALUE)) {
      return value;
    }
    Decimal128 rounded = Decimals.roundIfRoom(Decimals.exactly(number), precision, mode);
    return RawValue.ofDouble(
        Decimals.isZero(rounded) ? (rounded.isNegative() ? -0.0 : 0.0) : rounded.doubleValue());
  }

  private static RawValue roundedInteger(
      String name, RawValue value, int precision, RoundingMode mode) {
    if (precision >= 0) {
      return value;
    }
    var rounded = BigDecimal.valueOf(value.toLong()).setScale(precision, mode).toBigInteger();
    if (rounded.bitLength() >= Long.SIZE) {
      throw new CommandException(
          ErrorCode.ROUND_OVERFLOW,
          "invalid conversion from Decimal128 result in "
              + name
              + " resulting from arguments: ["
              + value.toLong()
              + ", "
              + precision
              + "]");
    }
    return value.type() == ElementType.INT64
        ? RawValue.ofInt64(rounded.longValue())
        : Values.intOrLong(rounded.longValue());
  }
}
