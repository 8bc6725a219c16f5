package dev.wisent.bson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.bson.types.Decimal128;

/** Numbers at the edges, and an order of numbers that is slow and evidently right. */
final class Numbers {
  static final List<RawValue> EDGES = edges();

  private static final BigInteger COEFFICIENT_LIMIT = BigInteger.TEN.pow(34);

  private Numbers() {}

  private static List<RawValue> edges() {
    var edges = new ArrayList<RawValue>();
    long[] longs = {
      0,
      1,
      -1,
      2,
      127,
      128,
      255,
      256,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE,
      1L << 31,
      -(1L << 31) - 1,
      (1L << 53) - 1,
      1L << 53,
      (1L << 53) + 1,
      (1L << 53) + 2,
      -(1L << 53),
      -(1L << 53) - 1,
      (1L << 54) + 1,
      (1L << 62) + 1,
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1,
      Long.MIN_VALUE,
      Long.MIN_VALUE + 1
    };
    for (long x : longs) {
      if (x == (int) x) {
        edges.add(RawValue.ofInt32((int) x));
      }
      edges.add(RawValue.ofInt64(x));
      edges.add(RawValue.ofDouble((double) x));
      edges.add(RawValue.ofDecimal128(new Decimal128(x)));
      edges.add(RawValue.ofDecimal128(Decimal128.parse(x + ".0")));
      edges.add(RawValue.ofDecimal128(Decimal128.parse(x + ".5")));
      edges.add(RawValue.ofDecimal128(Decimal128.parse(x + ".000000000000001")));
    }
    double[] doubles = {
      -0.0,
      0.1,
      0.5,
      1.5,
      -1.5,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.MIN_NORMAL,
      Math.nextDown(Double.MIN_NORMAL),
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      0x1p63,
      -0x1p63,
      0x1p64,
      Math.nextDown(0x1p63),
      Math.nextUp(0x1p63),
      Math.nextDown(0x1p64),
      1e300,
      1e-300,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    for (double x : doubles) {
      edges.add(RawValue.ofDouble((double) x));
      if (Math.abs(x) <= Double.MAX_VALUE && x != 0) {
        edges.add(RawValue.ofDecimal128(decimal(new BigDecimal(x))));
      }
    }
    edges.add(RawValue.ofDouble(Double.longBitsToDouble(0xFFF0000000000001L)));
    String[] decimals = {
      "-0",
      "0.00",
      "-0.0",
      "0E-6176",
      "0E+6111",
      "1E-6176",
      "-1E-6176",
      "9.99E+6144",
      "9.999999999999999999999999999999999E+6144",
      "-9.999999999999999999999999999999999E+6144",
      "NaN",
      "Infinity",
      "-Infinity",
      "0.1",
      "0.10",
      "1.00",
      "100",
      "1E+2",
      "1.0E+2",
      "1E-324",
      "4.9E-324",
      "5E-324",
      "1E-400",
      "1.7976931348623157E+308",
      "1.8E+308",
      "1E+309",
      "0.3",
      "0.2999999999999999888977697537484346",
      "18446744073709551615",
      "18446744073709551616",
      "18446744073709551617",
      "9223372036854775808",
      "9223372036854775807.5",
      "9007199254740993.00",
      "1234567890123456789012345678901234",
      "0.1000000000000000055511151231257827"
    };
    for (String x : decimals) {
      edges.add(RawValue.ofDecimal128(Decimal128.parse(x)));
    }
    // NaN with payload and sign, signalling NaN, infinity with payload, too large a coefficient.
    long[][] bits = {
      {0x7C00000000000000L, 1}, {0xFC00000000000000L, 0}, {0x7E00000000000000L, 5},
      {0x7800000000000000L, 7}, {0x6C10000000000000L, 3}, {0xEC10000000000000L, 0},
      {0x3041ED09BEAD87C0L, 0x378D8E6400000000L}, {0x3041ED09BEAD87C0L, 0x378D8E63FFFFFFFFL}
    };
    for (long[] pair : bits) {
      edges.add(RawValue.ofDecimal128(Decimal128.fromIEEE754BIDEncoding(pair[0], pair[1])));
    }
    return List.copyOf(edges);
  }

  /** The nearest decimal128. */
  static Decimal128 decimal(BigDecimal value) {
    if (value == null || value.signum() == 0) {
      return Decimal128.POSITIVE_ZERO;
    }
    BigDecimal rounded = value.stripTrailingZeros().round(new MathContext(34, RoundingMode.DOWN));
    return new Decimal128(rounded);
  }

  /** The finite value, or null for NaN and the infinities. */
  static BigDecimal exact(RawValue value) {
    return switch (value.type()) {
      case ElementType.INT32 -> BigDecimal.valueOf(value.asInt32());
      case ElementType.INT64 -> BigDecimal.valueOf(value.asInt64());
      case ElementType.DOUBLE ->
          Math.abs(value.asDouble()) <= Double.MAX_VALUE ? new BigDecimal(value.asDouble()) : null;
      default -> exactDecimal(value.asDecimal128());
    };
  }

  private static BigDecimal exactDecimal(Decimal128 decimal) {
    if (decimal.isNaN() || decimal.isInfinite()) {
      return null;
    }
    if ((decimal.getHigh() & (3L << 61)) == (3L << 61)) {
      return BigDecimal.ZERO;
    }
    BigInteger coefficient =
        BigInteger.valueOf(decimal.getHigh() & 0x1FFFFFFFFFFFFL)
            .shiftLeft(64)
            .or(new BigInteger(Long.toUnsignedString(decimal.getLow())));
    if (coefficient.compareTo(COEFFICIENT_LIMIT) >= 0) {
      return BigDecimal.ZERO;
    }
    int exponent = (int) ((decimal.getHigh() >>> 49) & 0x3FFF) - 6176;
    var magnitude = new BigDecimal(coefficient, -exponent);
    return decimal.isNegative() ? magnitude.negate() : magnitude;
  }

  /** NaN -2, -Infinity -1, finite 0, Infinity 1. */
  private static int kind(RawValue value) {
    if (exact(value) != null) {
      return 0;
    }
    double x = value.toDouble();
    return Double.isNaN(x) ? -2 : x < 0 ? -1 : 1;
  }

  static int compare(RawValue a, RawValue b) {
    int kinds = Integer.compare(kind(a), kind(b));
    return kinds != 0 || kind(a) != 0 ? kinds : exact(a).compareTo(exact(b));
  }
}
