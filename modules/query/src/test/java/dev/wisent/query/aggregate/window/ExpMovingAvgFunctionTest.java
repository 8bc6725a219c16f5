package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpMovingAvgFunctionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$expMovingAvg: {input: '$x', N: 3}}        | [{t: 1, x: 1}, {t: 2, x: 2}, {t: 3, x: 4}]       | [{v: 1}, {v: 1.5}, {v: 2.75}]
          {$expMovingAvg: {input: '$x', alpha: 0.75}} | [{t: 1, x: 1}, {t: 2, x: 2}, {t: 3, x: 4}]       | [{v: 1}, {v: 1.75}, {v: 3.4375}]
          {$expMovingAvg: {input: '$x', N: 1}}        | [{t: 1, x: 1}, {t: 2, x: 2}]                     | [{v: 1}, {v: 2.0}]
          {$expMovingAvg: {input: '$x', N: 3}}        | [{t: 1}, {t: 2, x: 2}, {t: 3, x: 'x'}, {t: 4, x: null}, {t: 5, x: 3}] | [{v: null}, {v: 2}, {v: 2}, {v: 2}, {v: 2.5}]
          {$expMovingAvg: {input: '$x', N: 3}}        | [{t: 1, x: {$numberDecimal: '1'}}, {t: 2, x: 2}] | [{v: {$numberDecimal: '1'}}, {v: {$numberDecimal: '1.5'}}]
          {$expMovingAvg: {input: '$x', N: {$numberLong: '3'}}} | [{p: 1, t: 1, x: 1}, {p: 2, t: 1, x: 5}] | [{v: 1}, {v: 5}]
          """)
  void averages(String function, String input, String expected) {
    WindowFixture.check(function, input, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$expMovingAvg: 1}                               | 9 | $expMovingAvg must have exactly one argument that is an object
          {$expMovingAvg: {input: '$x', N: 1}, window: {}} | 9 | $expMovingAvg must have exactly one argument that is an object
          {$expMovingAvg: {input: '$x'}}                   | 9 | sub object must have exactly two fields
          {$expMovingAvg: {N: 1, alpha: 0.5}}              | 9 | sub object must have exactly two fields
          {$expMovingAvg: {input: '$x', M: 1}}             | 9 | Got unrecognized field in $expMovingAvg
          {$expMovingAvg: {input: '$x', N: 'x'}}           | 9 | 'N' field must be an integer, but found type string
          {$expMovingAvg: {input: '$x', N: 1.5}}           | 9 | 'N' field must be an integer, but found  N: 1.5
          {$expMovingAvg: {input: '$x', N: 0}}             | 9 | 'N' must be greater than zero. Got 0
          {$expMovingAvg: {input: '$x', alpha: 'x'}}       | 9 | 'alpha' must be a number
          {$expMovingAvg: {input: '$x', alpha: 0}}         | 9 | 'alpha' must be between 0 and 1 (exclusive)
          {$expMovingAvg: {input: '$x', alpha: 1}}         | 9 | 'alpha' must be between 0 and 1 (exclusive)
          """)
  void errors(String function, int code, String message) {
    WindowFixture.checkError(function, "[]", code, message);
  }

  @Test
  void needsASort() {
    String stages = "[{$setWindowFields: {output: {v: {$expMovingAvg: {input: '$x', N: 1}}}}}]";
    assertThat(StageFixture.errorOf(stages, "[]").getMessage())
        .contains("$expMovingAvg requires an explicit 'sortBy'");
  }

  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$expMovingAvg: {input: '$x', N: 2}}"))
        .isEqualTo(RawDocument.parse("{$expMovingAvg: {N: {$numberLong: '2'}, input: '$x'}}"));
  }
}
