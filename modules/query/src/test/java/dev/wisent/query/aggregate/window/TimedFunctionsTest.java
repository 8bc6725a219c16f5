package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $derivative} and {@code $integral}. */
class TimedFunctionsTest {
  private static final String NUMBERS = "[{t: 0, x: 0}, {t: 1, x: 2}, {t: 3, x: 8}, {t: 4, x: 8}]";
  private static final String DATES =
      "[{t: {$date: 0}, x: 0}, {t: {$date: 1000}, x: 2}, {t: {$date: 3000}, x: 8}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$derivative: {input: '$x'}, window: {documents: [-1, 0]}}                    | [{v: null}, {v: 2.0}, {v: 3.0}, {v: 0.0}]
          {$derivative: {input: '$x'}, window: {documents: ['current', 1]}}             | [{v: 2.0}, {v: 3.0}, {v: 0.0}, {v: null}]
          {$derivative: {input: '$x'}, window: {documents: ['unbounded', 'unbounded']}} | [{v: 2.0}, {v: 2.0}, {v: 2.0}, {v: 2.0}]
          {$derivative: {input: '$x'}, window: {range: [-1, 0]}}                        | [{v: null}, {v: 2.0}, {v: null}, {v: 0.0}]
          {$derivative: {input: '$x'}, window: {documents: [5, 6]}}                     | [{v: null}, {v: null}, {v: null}, {v: null}]
          {$integral: {input: '$x'}, window: {documents: ['unbounded', 'current']}}     | [{v: 0}, {v: 1.0}, {v: 11.0}, {v: 19.0}]
          {$integral: {input: '$x'}}                                                    | [{v: 19.0}, {v: 19.0}, {v: 19.0}, {v: 19.0}]
          {$integral: {input: '$x'}, window: {documents: [-1, 0]}}                      | [{v: 0}, {v: 1.0}, {v: 10.0}, {v: 8.0}]
          {$integral: {input: '$x'}, window: {documents: [3, 4]}}                       | [{v: 0}, {v: null}, {v: null}, {v: null}]
          {$integral: {input: '$x'}, window: {range: [-2, 0]}}                          | [{v: 0}, {v: 1.0}, {v: 10.0}, {v: 8.0}]
          """)
  void overNumbers(String function, String expected) {
    WindowFixture.check(function, NUMBERS, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$derivative: {input: '$x', unit: 'second'}, window: {documents: [-1, 0]}}  | [{v: null}, {v: 2.0}, {v: 3.0}]
          {$derivative: {input: '$x', unit: 'minute'}, window: {documents: [-1, 0]}}  | [{v: null}, {v: 120.0}, {v: 180.0}]
          {$derivative: {input: '$x', unit: 'second'}, window: {range: [-1, 0], unit: 'second'}} | [{v: null}, {v: 2.0}, {v: null}]
          {$integral: {input: '$x', unit: 'second'}, window: {documents: ['unbounded', 'current']}} | [{v: 0.0}, {v: 1.0}, {v: 11.0}]
          """)
  void overDates(String function, String expected) {
    WindowFixture.check(function, DATES, expected);
  }

  @Test
  void nanIsForgottenWhenItLeaves() {
    WindowFixture.check(
        "{$integral: {input: '$x'}, window: {documents: [-1, 0]}}",
        "[{t: 0, x: {$numberDouble: 'NaN'}}, {t: 1, x: 2}, {t: 2, x: 2}]",
        "[{v: {$numberDouble: 'NaN'}}, {v: {$numberDouble: 'NaN'}}, {v: 2.0}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$derivative: {input: '$x'}}                                              | [] | 9 | $derivative requires explicit window bounds
          {$derivative: 1, window: {documents: [0, 1]}}                             | [] | 9 | $derivative expects an object, but got a int: $derivative: 1
          {$integral: {}}                                                           | [] | 9 | $integral requires an 'input' expression
          {$integral: {input: '$x', more: 1}}                                       | [] | 9 | $integral got unexpected argument: more
          {$integral: {input: '$x'}, more: 1}                                       | [] | 9 | $integral got unexpected argument: more
          {$integral: {input: '$x', unit: 1}}                                       | [] | 9 | must be a string, but got int
          {$integral: {input: '$x', unit: 'x'}}                                     | [] | 9 | unknown time unit value: x
          {$integral: {input: '$x', unit: 'month'}}                                 | [] | 5490710 | unit must be 'week' or smaller
          {$integral: {input: '$x'}}                                                | [{t: 1, x: 'x'}] | 5423900 | must be a vector of 2 value
          {$integral: {input: '$x'}}                                                | [{t: 1}] | 5423900 | must be a vector of 2 value
          {$integral: {input: '$x'}}                                                | [{t: 'x', x: 1}] | 5423900 | must be a vector of 2 value
          {$integral: {input: '$x', unit: 'hour'}}                                  | [{t: 1, x: 1}] | 5423901 | expects the sortBy field to be a Date
          {$integral: {input: '$x'}}                                                | [{t: {$date: 1}, x: 1}] | 5423902 | expects the sortBy field to be numeric
          {$derivative: {input: '$x', unit: 'hour'}, window: {documents: [-1, 0]}}  | [{t: 1, x: 1}] | 5624900 | expects the sortBy field to be a Date
          {$derivative: {input: '$x'}, window: {documents: [-1, 0]}}                | [{t: {$date: 1}, x: 1}] | 5624901 | requires an 'unit'
          {$derivative: {input: '$x'}, window: {documents: [-1, 0]}}                | [{t: 'x', x: 1}] | 5624902 | expects the sortBy field to be numeric
          {$derivative: {input: '$x'}, window: {documents: [-1, 0]}}                | [{t: 1, x: null}] | 5624903 | must not be null or missing
          """)
  void errors(String function, String input, int code, String message) {
    WindowFixture.checkError(function, input, code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
                               | $integral requires a sortBy
          sortBy: {a: 1, b: 1}, | $integral requires a non-compound sortBy
          """)
  void needOneSortKey(String sort, String message) {
    String stages =
        "[{$setWindowFields: {"
            + (sort == null ? "" : sort)
            + " output: {v: {$integral: {input: '$x'}}}}}]";
    assertThat(StageFixture.errorOf(stages, "[]").getMessage()).contains(message);
  }

  @Test
  void explained() {
    assertThat(
            WindowFixture.explained(
                "{$derivative: {input: '$x', unit: 'hour'}, window: {range: [-1, 0], unit:"
                    + " 'hour'}}"))
        .isEqualTo(
            RawDocument.parse(
                "{$derivative: {input: '$x', unit: 'hour'}, window: {range: [-1, 0], unit:"
                    + " 'hour'}}"));
  }
}
