package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.bson.types.Decimal128;

/** Arguments that must be whole numbers, of whatever numeric type. */
public final class IntegerOperand {
  private static final double LONG_MAX_PLUS_ONE = 0x1p63;
  private static final int LONG_DIGITS_MAX = 19;

  private IntegerOperand() {}

  public static long toLong(Operand operand) {
    RawValue value = operand.value();
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64 -> value.toLong();
      case ElementType.DOUBLE -> fromDouble(value.asDouble(), operand);
      case ElementType.DECIMAL128 -> fromDecimal(value.asDecimal128(), operand);
      default -> throw failure("Expected a number in: " + operand.text());
    };
  }

  static int toInt(Operand operand) {
    long number = toLong(operand);
    if (number != (int) number) {
      throw failure("Cannot represent " + operand.text() + " in an int");
    }
    return (int) number;
  }

  public static long toNonNegativeLong(Operand operand) {
    return nonNegative(toLong(operand), operand);
  }

  static int toNonNegativeInt(Operand operand) {
    return (int) nonNegative(toInt(operand), operand);
  }

  private static long nonNegative(long number, Operand operand) {
    if (number < 0) {
      throw failure("Expected a non-negative number in: " + operand.text());
    }
    return number;
  }

  private static long fromDouble(double number, Operand operand) {
    if (Double.isNaN(number)) {
      throw failure("Expected an integer, but found NaN in: " + operand.text());
    }
    if (number >= LONG_MAX_PLUS_ONE || number < Long.MIN_VALUE) {
      throw failure("Cannot represent as a 64-bit integer: " + operand.text());
    }
    if (number != Math.rint(number)) {
      throw failure("Expected an integer: " + operand.text());
    }
    return (long) number;
  }

  private static long fromDecimal(Decimal128 number, Operand operand) {
    Long exact = exactLong(number);
    if (exact == null) {
      throw failure("Cannot represent as a 64-bit integer: " + operand.text());
    }
    return exact;
  }

  /** The value as a long, or null where it is none exactly. */
  static Long exactLong(Decimal128 number) {
    Long whole = truncatedLong(number);
    return whole != null && toBigDecimal(number).compareTo(BigDecimal.valueOf(whole)) == 0
        ? whole
        : null;
  }

  /** The value cut towards zero, or null where it is not finite or too large for a long. */
  static Long truncatedLong(Decimal128 number) {
    if (number.isNaN() || number.isInfinite()) {
      return null;
    }
    BigDecimal value = toBigDecimal(number);
    int digitsBeforePoint = value.precision() - value.scale();
    if (value.signum() == 0 || digitsBeforePoint <= 0) {
      return 0L;
    }
    if (digitsBeforePoint > LONG_DIGITS_MAX) {
      return null;
    }
    BigInteger whole = value.toBigInteger();
    return whole.bitLength() < Long.SIZE ? whole.longValue() : null;
  }

  /** The library refuses to convert negative zero. */
  private static BigDecimal toBigDecimal(Decimal128 number) {
    long highWithoutSign = number.getHigh() & Long.MAX_VALUE;
    BigDecimal absolute =
        Decimal128.fromIEEE754BIDEncoding(highWithoutSign, number.getLow()).bigDecimalValue();
    return number.isNegative() ? absolute.negate() : absolute;
  }

  private static CommandException failure(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
