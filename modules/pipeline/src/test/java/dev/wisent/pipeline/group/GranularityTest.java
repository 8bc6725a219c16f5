package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every series leads up and down from every number, also where powers of ten lose their digits. */
class GranularityTest {
  private static final double[] NUMBERS = {
    Double.MIN_VALUE,
    2 * Double.MIN_VALUE,
    20 * Double.MIN_VALUE,
    1e-320,
    1e-310,
    Double.MIN_NORMAL,
    1e-307,
    1e-300,
    1e-7,
    0.1,
    0.5,
    0.95,
    1,
    9.9,
    10,
    64,
    990,
    12345.6,
    1e9,
    1e300,
    1e307,
    1e308,
    Double.MAX_VALUE
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "R5",
        "R10",
        "R20",
        "R40",
        "R80",
        "1-2-5",
        "E6",
        "E12",
        "E24",
        "E48",
        "E96",
        "E192",
        "POWERSOF2"
      })
  void roundsTheseNumbers(String name) {
    Granularity granularity = Granularity.parse(RawValue.ofString(name));
    for (double number : NUMBERS) {
      RawValue value = RawValue.ofDouble(number);
      assertThat(granularity.roundDown(value).toDouble()).isLessThan(number).isNotNegative();
      assertThat(granularity.roundUp(value).toDouble()).isGreaterThan(number);
    }
  }
}
