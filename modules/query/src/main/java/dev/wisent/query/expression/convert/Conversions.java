package dev.wisent.query.expression.convert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.arithmetic.NumberText;
import dev.wisent.query.expression.date.DateFormat;
import dev.wisent.query.expression.date.DateTexts;
import dev.wisent.query.number.Decimals;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** What can be made into what. */
final class Conversions {
  private static final String NO_ON_ERROR = " in $convert with no onError value";

  private Conversions() {}

  static RawValue convert(RawValue input, byte target) {
    if (input.type() == target) {
      return switch (target) {
        case ElementType.DOUBLE,
            ElementType.STRING,
            ElementType.OBJECT_ID,
            ElementType.BOOLEAN,
            ElementType.DATE,
            ElementType.INT32,
            ElementType.INT64,
            ElementType.DECIMAL128 ->
            input;
        default -> throw unsupported(input, target);
      };
    }
    return switch (target) {
      case ElementType.BOOLEAN -> RawValue.ofBoolean(input.isTruthy());
      case ElementType.STRING -> toText(input);
      case ElementType.INT32 -> toInt(input);
      case ElementType.INT64 -> toLong(input);
      case ElementType.DOUBLE -> toDouble(input);
      case ElementType.DECIMAL128 -> toDecimal(input);
      case ElementType.DATE -> toDate(input);
      case ElementType.OBJECT_ID -> toObjectId(input);
      default -> throw unsupported(input, target);
    };
  }

  private static CommandException unsupported(RawValue input, byte target) {
    return failure(
        "Unsupported conversion from "
            + ElementType.alias(input.type())
            + " to "
            + ConvertTarget.name(target)
            + NO_ON_ERROR);
  }

  private static CommandException failure(String message) {
    return new CommandException(ErrorCode.CONVERSION_FAILURE, message);
  }

  private static RawValue toText(RawValue input) {
    return switch (input.type()) {
      case ElementType.DOUBLE -> RawValue.ofString(text(input.asDouble()));
      case ElementType.INT32, ElementType.INT64 -> RawValue.ofString(Long.toString(input.toLong()));
      case ElementType.DECIMAL128 -> RawValue.ofString(input.asDecimal128().toString());
      case ElementType.BOOLEAN -> RawValue.ofString(Boolean.toString(input.asBoolean()));
      case ElementType.DATE -> RawValue.ofString(DateFormat.iso(input.asInt64()));
      case ElementType.OBJECT_ID -> RawValue.ofString(input.asObjectId().toHexString());
      default -> throw unsupported(input, ElementType.STRING);
    };
  }

  private static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    return NumberText.of(value);
  }

  private static RawValue toInt(RawValue input) {
    switch (input.type()) {
      case ElementType.BOOLEAN -> {
        return RawValue.ofInt32(input.asBoolean() ? 1 : 0);
      }
      case ElementType.STRING -> {
        return RawValue.ofInt32(NumberTexts.parseInt(input.asString()));
      }
      case ElementType.INT64 -> {
        if (input.asInt64() != (int) input.asInt64()) {
          throw failure("Conversion would overflow target type" + NO_ON_ERROR + ": ");
        }
        return RawValue.ofInt32((int) input.asInt64());
      }
      case ElementType.DOUBLE, ElementType.DECIMAL128 -> {
        requireFinite(input);
        long whole = input.toLong();
        if (whole != (int) whole) {
          throw overflow(input);
        }
        return RawValue.ofInt32((int) whole);
      }
      default -> throw unsupported(input, ElementType.INT32);
    }
  }

  private static RawValue toLong(RawValue input) {
    return switch (input.type()) {
      case ElementType.BOOLEAN -> RawValue.ofInt64(input.asBoolean() ? 1 : 0);
      case ElementType.STRING -> RawValue.ofInt64(NumberTexts.parseLong(input.asString()));
      case ElementType.INT32 -> RawValue.ofInt64(input.asInt32());
      case ElementType.DATE -> RawValue.ofInt64(input.asInt64());
      case ElementType.DOUBLE, ElementType.DECIMAL128 -> RawValue.ofInt64(whole(input));
      default -> throw unsupported(input, ElementType.INT64);
    };
  }

  private static void requireFinite(RawValue number) {
    double value = number.toDouble();
    boolean nan =
        number.type() == ElementType.DECIMAL128
            ? number.asDecimal128().isNaN()
            : Double.isNaN(value);
    boolean infinite =
        number.type() == ElementType.DECIMAL128
            ? number.asDecimal128().isInfinite()
            : Double.isInfinite(value);
    if (nan || infinite) {
      throw failure(
          "Attempt to convert "
              + (nan ? "NaN" : "infinity")
              + " value to integer type"
              + NO_ON_ERROR);
    }
  }

  private static long whole(RawValue number) {
    requireFinite(number);
    double value = number.toDouble();
    // Beyond the range toLong stops at its ends.
    boolean fits =
        number.type() == ElementType.DOUBLE
            ? value >= -0x1p63 && value < 0x1p63
            : Decimals.finite(number.asDecimal128()).toBigInteger().bitLength() < Long.SIZE;
    if (!fits) {
      throw overflow(number);
    }
    return number.toLong();
  }

  private static CommandException overflow(RawValue number) {
    String text =
        number.type() == ElementType.DECIMAL128
            ? number.asDecimal128().toString()
            : NumberText.of(number.toDouble());
    return failure("Conversion would overflow target type" + NO_ON_ERROR + ": " + text);
  }

  private static RawValue toDouble(RawValue input) {
    switch (input.type()) {
      case ElementType.BOOLEAN -> {
        return RawValue.ofDouble(input.asBoolean() ? 1 : 0);
      }
      case ElementType.STRING -> {
        return RawValue.ofDouble(NumberTexts.parseDouble(input.asString()));
      }
      case ElementType.INT32, ElementType.INT64 -> {
        return RawValue.ofDouble(input.toLong());
      }
      case ElementType.DATE -> {
        return RawValue.ofDouble(input.asInt64());
      }
      case ElementType.DECIMAL128 -> {
        Decimal128 decimal = input.asDecimal128();
        double value = decimal.doubleValue();
        if (Double.isInfinite(value) && !decimal.isInfinite()) {
          throw overflow(input);
        }
        return RawValue.ofDouble(value);
      }
      default -> throw unsupported(input, ElementType.DOUBLE);
    }
  }

  private static RawValue toDecimal(RawValue input) {
    return switch (input.type()) {
      case ElementType.BOOLEAN -> RawValue.ofDecimal128(new Decimal128(input.asBoolean() ? 1 : 0));
      case ElementType.STRING -> RawValue.ofDecimal128(NumberTexts.parseDecimal(input.asString()));
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE ->
          RawValue.ofDecimal128(Decimals.of(input));
      case ElementType.DATE -> RawValue.ofDecimal128(new Decimal128(input.asInt64()));
      default -> throw unsupported(input, ElementType.DECIMAL128);
    };
  }

  private static RawValue toDate(RawValue input) {
    return switch (input.type()) {
      case ElementType.STRING -> RawValue.ofDate(DateTexts.parse(input.asString(), ZoneOffset.UTC));
      case ElementType.INT64 -> RawValue.ofDate(input.asInt64());
      case ElementType.DOUBLE, ElementType.DECIMAL128 -> RawValue.ofDate(whole(input));
      case ElementType.OBJECT_ID -> RawValue.ofDate(input.asObjectId().getDate().getTime());
      case ElementType.TIMESTAMP -> RawValue.ofDate((input.asInt64() >>> 32) * 1000);
      default -> throw unsupported(input, ElementType.DATE);
    };
  }

  private static RawValue toObjectId(RawValue input) {
    if (!input.isString()) {
      throw unsupported(input, ElementType.OBJECT_ID);
    }
    String text = input.asString();
    if (!ObjectId.isValid(text)) {
      String reason =
          text.length() != 24
              ? "Invalid string length for parsing to OID, expected 24 but found " + text.length()
              : "Invalid character found in hex string: " + firstOther(text);
      throw failure("Failed to parse objectId '" + text + "'" + NO_ON_ERROR + ": " + reason);
    }
    return RawValue.ofObjectId(new ObjectId(text));
  }

  /** The first character that is no hexadecimal digit. */
  private static char firstOther(String text) {
    int i = 0;
    while (HexFormat.isHexDigit(text.charAt(i))) {
      i++;
    }
    return text.charAt(i);
  }
}
