package dev.wisent.query.aggregate.window;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $covariancePop} and {@code $covarianceSamp}. */
class CovarianceWindowTest {
  private static final String INPUT =
      "[{t: 1, x: 1, y: 2}, {t: 2, x: 3, y: 6}, {t: 3, x: 5, y: 4}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$covariancePop: ['$x', '$y'], window: {documents: ['unbounded', 'current']}}  | [{v: 0.0}, {v: 2.0}, {v: 1.3333333333333333}]
          {$covarianceSamp: ['$x', '$y'], window: {documents: ['unbounded', 'current']}} | [{v: null}, {v: 4.0}, {v: 2.0}]
          {$covariancePop: ['$x', '$y'], window: {documents: [-1, 0]}}                   | [{v: 0.0}, {v: 2.0}, {v: -1.0}]
          {$covarianceSamp: ['$x', '$y'], window: {documents: [-1, 0]}}                  | [{v: null}, {v: 4.0}, {v: -2.0}]
          {$covariancePop: ['$x', '$z']}                                                 | [{v: null}, {v: null}, {v: null}]
          {$covariancePop: '$x'}                                                         | [{v: null}, {v: null}, {v: null}]
          {$covariancePop: ['$x']}                                                       | [{v: null}, {v: null}, {v: null}]
          """)
  void covariances(String function, String expected) {
    WindowFixture.check(function, INPUT, expected);
  }

  @Test
  void infinitiesAreForgottenWhenTheyLeave() {
    WindowFixture.check(
        "{$covariancePop: ['$x', '$y'], window: {documents: [-2, 0]}}",
        "[{t: 1, x: {$numberDouble: 'Infinity'}, y: 1}, {t: 2, x: 1, y: 1}, {t: 3, x: 3, y: 5},"
            + " {t: 4, x: 'x', y: 1}]",
        "[{v: null}, {v: 0.0}, {v: {$numberDouble: 'Infinity'}}, {v: 2.0}]");
  }

  @Test
  void decimalsMakeDecimals() {
    WindowFixture.check(
        "{$covarianceSamp: ['$x', '$y'], window: {documents: ['unbounded', 'current']}}",
        "[{t: 1, x: {$numberDecimal: '1'}, y: 2}, {t: 2, x: 3, y: 6}]",
        "[{v: null}, {v: {$numberDecimal: '4'}}]");
  }
}
