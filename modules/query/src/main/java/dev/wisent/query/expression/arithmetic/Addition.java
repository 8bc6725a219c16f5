package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Decimals;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.bson.types.Decimal128;

/**
 * What {@code $add} has added so far. Unlike {@code $sum} it goes from left to right in the type
 * that the terms have until then, and does not make up for what rounding takes away. With a date
 * among the terms the sum is a date, and each term a whole number of milliseconds.
 */
final class Addition {
  private byte type = ElementType.INT32;
  private long whole;
  private double floating;
  private Decimal128 decimal;
  private boolean date;

  /** Adds a number or a date; the caller sees to null. */
  void add(RawValue term) {
    if (term.type() == ElementType.DATE) {
      startDate(term.asInt64());
    } else if (!term.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "$add only supports numeric or date types, not " + Values.typeName(term));
    } else if (date) {
      whole = addExact(whole, millis(term));
    } else {
      addNumber(term);
    }
  }

  private void startDate(long millis) {
    if (date) {
      throw new CommandException(
          ErrorCode.ADD_TWO_DATES, "only one date allowed in an $add expression");
    }
    whole = addExact(millis(value()), millis);
    date = true;
  }

  private void addNumber(RawValue term) {
    byte before = type;
    type = Arithmetic.widest(type, term.type());
    if (type != before) {
      widen(before);
    }
    switch (type) {
      case ElementType.DECIMAL128 -> decimal = Decimals.add(decimal, Decimals.of(term));
      case ElementType.DOUBLE -> floating += term.toDouble();
      default -> {
        long sum = whole + term.toLong();
        if (((whole ^ sum) & (term.toLong() ^ sum)) < 0) {
          type = ElementType.DOUBLE;
          floating = (double) whole + term.toDouble();
        } else {
          whole = sum;
        }
      }
    }
  }

  private void widen(byte before) {
    if (type == ElementType.DOUBLE) {
      floating = whole;
    } else if (type == ElementType.DECIMAL128) {
      decimal = before == ElementType.DOUBLE ? Decimals.of(floating) : new Decimal128(whole);
    }
  }

  RawValue value() {
    if (date) {
      return RawValue.ofDate(whole);
    }
    return switch (type) {
      case ElementType.DECIMAL128 -> RawValue.ofDecimal128(decimal);
      case ElementType.DOUBLE -> RawValue.ofDouble(floating);
      case ElementType.INT64 -> RawValue.ofInt64(whole);
      default -> Values.intOrLong(whole);
    };
  }

  /** A number as milliseconds; halves go away from zero, those of decimals to the even one. */
  static long millis(RawValue number) {
    switch (number.type()) {
      case ElementType.DOUBLE -> {
        double value = number.asDouble();
        if (value >= -0x1p63 && value < 0x1p63) {
          long cut = (long) value;
          return Math.abs(value - cut) >= 0.5 ? cut + (value > 0 ? 1 : -1) : cut;
        }
      }
      case ElementType.DECIMAL128 -> {
        Decimal128 value = number.asDecimal128();
        BigInteger rounded = Decimals.isFinite(value) ? rounded(Decimals.finite(value)) : null;
        if (rounded != null && rounded.bitLength() < Long.SIZE) {
          return rounded.longValue();
        }
      }
      default -> {
        return number.toLong();
      }
    }
    throw overflow();
  }

  /** Null for what is far too large, which would be costly to write out. */
  private static BigInteger rounded(BigDecimal value) {
    return value.precision() - value.scale() > Long.SIZE
        ? null
        : value.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
  }

  private static long addExact(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      throw overflow();
    }
    return sum;
  }

  static CommandException overflow() {
    return new CommandException(ErrorCode.OVERFLOW, "date overflow");
  }
}
