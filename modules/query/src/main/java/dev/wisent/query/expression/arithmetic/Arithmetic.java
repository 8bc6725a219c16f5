package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Decimals;
import org.bson.types.Decimal128;

/** {@code $add}, {@code $subtract}, {@code $multiply}, {@code $divide} and {@code $mod}. */
public final class Arithmetic {
  private Arithmetic() {}

  public static RawValue add(RawValue... terms) {
    var addition = new Addition();
    for (RawValue term : terms) {
      if (Values.isNullish(term)) {
        return RawValue.NULL;
      }
      addition.add(term);
    }
    return addition.value();
  }

  public static RawValue subtract(RawValue a, RawValue b) {
    if (a != null && b != null && a.isNumber() && b.isNumber()) {
      return difference(a, b);
    }
    if (Values.isNullish(a) || Values.isNullish(b)) {
      return RawValue.NULL;
    }
    if (a.type() != ElementType.DATE) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "can't $subtract " + Values.typeName(b) + " from " + Values.typeName(a));
    }
    if (b.type() == ElementType.DATE) {
      return RawValue.ofInt64(dateDifference(a.asInt64(), b.asInt64()));
    }
    if (!b.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "can't $subtract " + Values.typeName(b) + " from Date");
    }
    return RawValue.ofDate(dateDifference(a.asInt64(), Addition.millis(b)));
  }

  private static long dateDifference(long a, long b) {
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      throw Addition.overflow();
    }
    return difference;
  }

  private static RawValue difference(RawValue a, RawValue b) {
    switch (widest(a, b)) {
      case ElementType.DECIMAL128 -> {
        return RawValue.ofDecimal128(Decimals.subtract(Decimals.of(a), Decimals.of(b)));
      }
      case ElementType.DOUBLE -> {
        return RawValue.ofDouble(a.toDouble() - b.toDouble());
      }
      default -> {
        long x = a.toLong();
        long y = b.toLong();
        long difference = x - y;
        if (((x ^ y) & (x ^ difference)) < 0) {
          // A long that overflows becomes a double, as in a sum.
          return RawValue.ofDouble((double) x - (double) y);
        }
        return integer(difference, a, b);
      }
    }
  }

  public static RawValue multiply(RawValue... factors) {
    byte type = ElementType.INT32;
    long whole = 1;
    double floating = 1;
    Decimal128 decimal = null;
    for (RawValue factor : factors) {
      if (Values.isNullish(factor)) {
        return RawValue.NULL;
      }
      if (!factor.isNumber()) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "$multiply only supports numeric types, not " + Values.typeName(factor));
      }
      byte before = type;
      type = widest(type, factor.type());
      if (type == ElementType.DECIMAL128) {
        if (decimal == null) {
          decimal = before == ElementType.DOUBLE ? Decimals.of(floating) : new Decimal128(whole);
        }
        decimal = Decimals.multiply(decimal, Decimals.of(factor));
        continue;
      }
      double term = factor.toDouble();
      floating *= term;
      long high = Math.multiplyHigh(whole, factor.toLong());
      long low = whole * factor.toLong();
      if (high != low >> 63 || !(Math.abs(term) <= Double.MAX_VALUE)) {
        type = ElementType.DOUBLE;
      }
      whole = low;
    }
    return switch (type) {
      case ElementType.DECIMAL128 -> RawValue.ofDecimal128(decimal);
      case ElementType.DOUBLE -> RawValue.ofDouble(floating);
      case ElementType.INT64 -> RawValue.ofInt64(whole);
      default -> Values.intOrLong(whole);
    };
  }

  public static RawValue divide(RawValue a, RawValue b) {
    if (a == null || b == null || !a.isNumber() || !b.isNumber()) {
      return notNumbers("$divide", ErrorCode.TYPE_MISMATCH, a, b);
    }
    if (b.type() == ElementType.DECIMAL128
        ? Decimals.isZero(b.asDecimal128())
        : b.toDouble() == 0) {
      throw new CommandException(ErrorCode.BAD_VALUE, "can't $divide by zero");
    }
    return widest(a, b) == ElementType.DECIMAL128
        ? RawValue.ofDecimal128(Decimals.divide(Decimals.of(a), Decimals.of(b)))
        : RawValue.ofDouble(a.toDouble() / b.toDouble());
  }

  static RawValue mod(RawValue a, RawValue b) {
    if (a == null || b == null || !a.isNumber() || !b.isNumber()) {
      return notNumbers("$mod", ErrorCode.MOD_TYPE, a, b);
    }
    byte type = widest(a, b);
    if (type == ElementType.DECIMAL128) {
      return RawValue.ofDecimal128(remainder(Decimals.of(a), Decimals.of(b)));
    }
    if (b.toDouble() == 0) {
      throw byZero(ErrorCode.MOD_BY_ZERO);
    }
    return switch (type) {
      case ElementType.DOUBLE -> RawValue.ofDouble(a.toDouble() % b.toDouble());
      case ElementType.INT64 -> RawValue.ofInt64(a.toLong() % b.toLong());
      default -> RawValue.ofInt32(a.asInt32() % b.asInt32());
    };
  }

  private static Decimal128 remainder(Decimal128 a, Decimal128 b) {
    if (Decimals.isZero(b)) {
      throw byZero(ErrorCode.MOD_BY_DECIMAL_ZERO);
    }
    return Decimals.remainder(a, b);
  }

  private static CommandException byZero(ErrorCode code) {
    return new CommandException(code, "can't $mod by zero");
  }

  private static RawValue notNumbers(String name, ErrorCode code, RawValue a, RawValue b) {
    if (Values.isNullish(a) || Values.isNullish(b)) {
      return RawValue.NULL;
    }
    throw new CommandException(
        code,
        name
            + " only supports numeric types, not "
            + Values.typeName(a)
            + " and "
            + Values.typeName(b));
  }

  static byte widest(RawValue a, RawValue b) {
    return widest(a.type(), b.type());
  }

  static byte widest(byte a, byte b) {
    if (a == ElementType.DECIMAL128 || b == ElementType.DECIMAL128) {
      return ElementType.DECIMAL128;
    }
    if (a == ElementType.DOUBLE || b == ElementType.DOUBLE) {
      return ElementType.DOUBLE;
    }
    return a == ElementType.INT64 || b == ElementType.INT64 ? ElementType.INT64 : ElementType.INT32;
  }

  /** A long if one of the operands was, or else an int where it fits. */
  static RawValue integer(long result, RawValue a, RawValue b) {
    return widest(a, b) == ElementType.INT64 ? RawValue.ofInt64(result) : Values.intOrLong(result);
  }
}
