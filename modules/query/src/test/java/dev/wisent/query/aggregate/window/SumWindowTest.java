package dev.wisent.query.aggregate.window;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $sum} and {@code $count}. */
class SumWindowTest {
  private static final String NUMBERS = "[{t: 1, x: 1}, {t: 2, x: 20}, {t: 3, x: 300}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$sum: '$x'}                                                     | [{v: 321}, {v: 321}, {v: 321}]
          {$sum: '$x', window: {}}                                         | [{v: 321}, {v: 321}, {v: 321}]
          {$sum: '$x', window: {documents: ['unbounded', 'unbounded']}}    | [{v: 321}, {v: 321}, {v: 321}]
          {$sum: '$x', window: {documents: ['unbounded', 'current']}}      | [{v: 1}, {v: 21}, {v: 321}]
          {$sum: '$x', window: {documents: ['unbounded', -1]}}             | [{v: 0}, {v: 1}, {v: 21}]
          {$sum: '$x', window: {documents: ['unbounded', 1]}}              | [{v: 21}, {v: 321}, {v: 321}]
          {$sum: '$x', window: {documents: ['current', 'unbounded']}}      | [{v: 321}, {v: 320}, {v: 300}]
          {$sum: '$x', window: {documents: ['current', 'current']}}        | [{v: 1}, {v: 20}, {v: 300}]
          {$sum: '$x', window: {documents: [-1, 0]}}                       | [{v: 1}, {v: 21}, {v: 320}]
          {$sum: '$x', window: {documents: [-1, 1]}}                       | [{v: 21}, {v: 321}, {v: 320}]
          {$sum: '$x', window: {documents: [1, 1]}}                        | [{v: 20}, {v: 300}, {v: 0}]
          {$sum: '$x', window: {documents: [1, 'unbounded']}}              | [{v: 320}, {v: 300}, {v: 0}]
          {$sum: '$x', window: {documents: [-2, -1]}}                      | [{v: 0}, {v: 1}, {v: 21}]
          {$sum: '$x', window: {documents: [5, 9]}}                        | [{v: 0}, {v: 0}, {v: 0}]
          {$sum: '$x', window: {documents: [{$add: [-1, 0]}, {$const: 0}]}} | [{v: 1}, {v: 21}, {v: 320}]
          {$sum: '$x', window: {range: [-1, 0]}}                           | [{v: 1}, {v: 21}, {v: 320}]
          {$sum: '$x', window: {range: [-1.5, 0.5]}}                       | [{v: 1}, {v: 21}, {v: 320}]
          {$sum: '$x', window: {range: ['unbounded', 'current']}}          | [{v: 1}, {v: 21}, {v: 321}]
          {$sum: '$x', window: {range: ['unbounded', -1]}}                 | [{v: 0}, {v: 1}, {v: 21}]
          {$sum: '$x', window: {range: ['current', 'unbounded']}}          | [{v: 321}, {v: 320}, {v: 300}]
          {$sum: '$x', window: {range: [1, 2]}}                            | [{v: 320}, {v: 300}, {v: 0}]
          {$sum: '$x', window: {range: ['unbounded', 'unbounded']}}        | [{v: 321}, {v: 321}, {v: 321}]
          {$count: {}}                                                     | [{v: 3}, {v: 3}, {v: 3}]
          {$count: {}, window: {documents: [-1, 0]}}                       | [{v: 1}, {v: 2}, {v: 2}]
          {$sum: 2, window: {documents: ['unbounded', 'current']}}         | [{v: 2}, {v: 4}, {v: 6}]
          """)
  void windows(String function, String expected) {
    WindowFixture.check(function, NUMBERS, expected);
  }

  /** The type is that of the values in the window, not of those that have left it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{t: 1, x: {$numberLong: '1'}}, {t: 2, x: 2}, {t: 3, x: 3}]      | [{v: {$numberLong: '1'}}, {v: {$numberLong: '3'}}, {v: 5}]
          [{t: 1, x: 1.5}, {t: 2, x: 2}, {t: 3, x: 3}]                     | [{v: 1.5}, {v: 3.5}, {v: 5}]
          [{t: 1, x: {$numberDecimal: '1.5'}}, {t: 2, x: 2}, {t: 3, x: 3}] | [{v: {$numberDecimal: '1.5'}}, {v: {$numberDecimal: '3.5'}}, {v: 5}]
          [{t: 1, x: 2147483647}, {t: 2, x: 1}, {t: 3, x: 3}]              | [{v: 2147483647}, {v: {$numberLong: '2147483648'}}, {v: 4}]
          [{t: 1, x: {$numberLong: '9223372036854775807'}}, {t: 2, x: 1}, {t: 3, x: 3}] | [{v: {$numberLong: '9223372036854775807'}}, {v: 9.223372036854775807E18}, {v: 4}]
          [{t: 1, x: {$numberDouble: 'NaN'}}, {t: 2, x: 2}, {t: 3, x: 3}]  | [{v: {$numberDouble: 'NaN'}}, {v: {$numberDouble: 'NaN'}}, {v: 5}]
          [{t: 1, x: {$numberDouble: 'Infinity'}}, {t: 2, x: {$numberDouble: '-Infinity'}}, {t: 3, x: 3}] | [{v: {$numberDouble: 'Infinity'}}, {v: {$numberDouble: 'NaN'}}, {v: {$numberDouble: '-Infinity'}}]
          [{t: 1, x: null}, {t: 2}, {t: 3, x: 'x'}]                        | [{v: 0}, {v: 0}, {v: 0}]
          [{t: 1, x: [1, 2]}, {t: 2, x: 5}, {t: 3, x: {a: 1}}]             | [{v: 0}, {v: 5}, {v: 5}]
          """)
  void typesOfMovingWindows(String input, String expected) {
    WindowFixture.check("{$sum: '$x', window: {documents: [-1, 0]}}", input, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$sum: '$x', $avg: '$x'}   | 9  | Cannot specify two functions in window function spec
          {$sum: '$x', by: 1}        | 9  | Window function found an unknown argument: by
          {$sum: {$nonsense: 1}}     | 168 | Unrecognized expression '$nonsense'
          {$count: 1}                | 9  | $count only accepts an empty object as input
          {$count: {a: 1}}           | 9  | $count only accepts an empty object as input
          """)
  void errors(String function, int code, String message) {
    WindowFixture.checkError(function, NUMBERS, code, message);
  }
}
