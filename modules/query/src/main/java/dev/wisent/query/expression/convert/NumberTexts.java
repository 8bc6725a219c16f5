package dev.wisent.query.expression.convert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.number.Decimals;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.types.Decimal128;

/** Reads numbers from strings. */
final class NumberTexts {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
  private static final Pattern HEXADECIMAL =
      Pattern.compile("[+-]?0[xX](?:\\p{XDigit}+\\.?\\p{XDigit}*|\\.\\p{XDigit}+)([pP][+-]?\\d+)?");
  private static final int DIGITS_MAX = 6200;

  private NumberTexts() {}

  static int parseInt(String text) {
    BigInteger value = whole(text);
    if (value.bitLength() >= Integer.SIZE) {
      throw failure(text, "Overflow");
    }
    return value.intValue();
  }

  static long parseLong(String text) {
    BigInteger value = whole(text);
    if (value.bitLength() >= Long.SIZE) {
      throw failure(text, "Overflow");
    }
    return value.longValue();
  }

  private static BigInteger whole(String text) {
    refuseHexadecimal(text);
    if (text.isEmpty()) {
      throw failure(text, "No digits");
    }
    if (!WHOLE.matcher(text).matches()) {
      throw failure(text, "Did not consume whole string.");
    }
    if (text.length() > DIGITS_MAX) {
      throw failure(text, "Overflow");
    }
    return new BigInteger(text.startsWith("+") ? text.substring(1) : text);
  }

  /** What C's {@code strtod} makes of the text, if it uses all of it. */
  static double parseDouble(String text) {
    refuseHexadecimal(text);
    if (text.isEmpty()) {
      throw failure(text, "Empty string");
    }
    if (isSpace(text.charAt(0))) {
      throw failure(text, "Leading whitespace");
    }
    Double special = special(text);
    if (special != null) {
      return special;
    }
    Matcher hexadecimal = HEXADECIMAL.matcher(text);
    if (hexadecimal.matches()) {
      // Java wants an exponent.
      return Double.parseDouble(hexadecimal.group(1) == null ? text + "p0" : text);
    }
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw failure(
          text,
          number.lookingAt() ? "Did not consume whole string." : "Did not consume any digits");
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw failure(text, "Out of range");
    }
    return value;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  static Decimal128 parseDecimal(String text) {
    refuseHexadecimal(text);
    Double special = special(text);
    if (special != null) {
      return Decimals.of(special);
    }
    if (!NUMBER.matcher(text).matches() || text.length() > DIGITS_MAX) {
      throw failure(text, "Failed to parse string to decimal");
    }
    try {
      Decimal128 value = Decimals.fitted(new BigDecimal(text), text.startsWith("-"));
      if (value.isInfinite()) {
        throw failure(text, "Conversion from string to decimal would overflow");
      }
      return value;
    } catch (NumberFormatException | ArithmeticException e) {
      throw failure(text, "Conversion from string to decimal would overflow");
    }
  }

  private static Double special(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    String bare = lower.startsWith("+") || lower.startsWith("-") ? lower.substring(1) : lower;
    return switch (bare) {
      case "nan" -> Double.NaN;
      case "inf", "infinity" ->
          lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> null;
    };
  }

  private static void refuseHexadecimal(String text) {
    if (text.startsWith("0x")) {
      throw new CommandException(
          ErrorCode.CONVERSION_FAILURE,
          "Illegal hexadecimal input in $convert with no onError value: " + text);
    }
  }

  private static CommandException failure(String text, String reason) {
    return new CommandException(
        ErrorCode.CONVERSION_FAILURE,
        "Failed to parse number '" + text + "' in $convert with no onError value: " + reason);
  }
}
