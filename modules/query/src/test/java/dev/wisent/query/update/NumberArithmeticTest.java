package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums and products across numeric types. */
class NumberArithmeticTest {
  private static RawValue value(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 | 2 | 3 | 2
          2147483647 | 2147483647 | NumberLong('4294967294') | NumberLong('4611686014132420609')
          NumberLong(3) | 2 | NumberLong(5) | NumberLong(6)
          NumberLong('9223372036854775807') | 1.0 | 9223372036854775808.0 | 9223372036854775807.0
          1.5 | NumberLong(2) | 3.5 | 3.0
          0.5 | NumberDecimal('2') | NumberDecimal('2.500000000000000') | NumberDecimal('1.000000000000000')
          NumberDecimal('0.1') | NumberDecimal('0.20') | NumberDecimal('0.30') | NumberDecimal('0.020')
          NumberDecimal('-0') | NumberDecimal('0') | NumberDecimal('0') | NumberDecimal('-0')
          NumberDecimal('-0') | NumberDecimal('-0') | NumberDecimal('-0') | NumberDecimal('0')
          NumberDecimal('-1') | 0 | NumberDecimal('-1') | NumberDecimal('-0')
          NumberDecimal('Infinity') | 0 | NumberDecimal('Infinity') | NumberDecimal('NaN')
          NumberDecimal('-Infinity') | 2.0 | NumberDecimal('-Infinity') | NumberDecimal('-Infinity')
          NumberDecimal('9.999999999999999999999999999999999E6144') | NumberDecimal('9E6144') | NumberDecimal('Infinity') | NumberDecimal('Infinity')
          NumberDecimal('1E6144') | NumberDecimal('1E-6176') | NumberDecimal('1.000000000000000000000000000000000E6144') | NumberDecimal('1.000000000000000000000000000000000E-32')
          NumberDecimal('1E-6176') | NumberDecimal('1E-6176') | NumberDecimal('2E-6176') | NumberDecimal('0E-6176')
          """)
  void results(String a, String b, String sum, String product) {
    assertThat(NumberArithmetic.add(value(a), value(b))).isEqualTo(value(sum));
    assertThat(NumberArithmetic.add(value(b), value(a))).isEqualTo(value(sum));
    assertThat(NumberArithmetic.multiply(value(a), value(b))).isEqualTo(value(product));
    assertThat(NumberArithmetic.multiply(value(b), value(a))).isEqualTo(value(product));
  }

  /** Against arithmetic without limits, on longs near the powers of two. */
  @Test
  void longsOverflowExactlyWhereTheyDo() {
    var random = new Random(20_250_101);
    for (int i = 0; i < 20_000; i++) {
      long x = random.nextLong() >> random.nextInt(64);
      long y = random.nextLong() >> random.nextInt(64);
      check(BigInteger.valueOf(x).add(BigInteger.valueOf(y)), add(x, y));
      check(BigInteger.valueOf(x).multiply(BigInteger.valueOf(y)), multiply(x, y));
    }
  }

  private static RawValue add(long x, long y) {
    return NumberArithmetic.add(RawValue.ofInt64(x), RawValue.ofInt64(y));
  }

  private static RawValue multiply(long x, long y) {
    return NumberArithmetic.multiply(RawValue.ofInt64(x), RawValue.ofInt64(y));
  }

  private static void check(BigInteger exact, RawValue result) {
    if (exact.bitLength() > 63) {
      assertThat(result).isNull();
    } else {
      assertThat(result.type()).isEqualTo(ElementType.INT64);
      assertThat(result.asInt64()).isEqualTo(exact.longValueExact());
    }
  }
}
