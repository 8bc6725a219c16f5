package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $first}, {@code $last} and {@code $shift}. */
class EndFunctionTest {
  private static final String INPUT = "[{t: 1, x: 'a'}, {t: 2}, {t: 3, x: [3]}, {t: 4, x: null}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$first: '$x'}                                              | [{v: 'a'}, {v: 'a'}, {v: 'a'}, {v: 'a'}]
          {$first: '$x', window: {documents: ['unbounded', 'current']}} | [{v: 'a'}, {v: 'a'}, {v: 'a'}, {v: 'a'}]
          {$first: '$x', window: {documents: ['unbounded', -2]}}      | [{v: null}, {v: null}, {v: 'a'}, {v: 'a'}]
          {$first: '$x', window: {documents: [-1, 0]}}                | [{v: 'a'}, {v: 'a'}, {}, {v: [3]}]
          {$first: '$x', window: {documents: ['current', 1]}}         | [{v: 'a'}, {}, {v: [3]}, {v: null}]
          {$first: '$x', window: {documents: [2, 3]}}                 | [{v: [3]}, {v: null}, {v: null}, {v: null}]
          {$first: '$x', window: {documents: [-3, -2]}}               | [{v: null}, {v: null}, {v: 'a'}, {v: 'a'}]
          {$first: '$x', window: {range: [-1, 1]}}                    | [{v: 'a'}, {v: 'a'}, {}, {v: [3]}]
          {$last: '$x'}                                               | [{v: null}, {v: null}, {v: null}, {v: null}]
          {$last: '$t'}                                               | [{v: 4}, {v: 4}, {v: 4}, {v: 4}]
          {$last: '$x', window: {documents: ['unbounded', 'current']}} | [{v: 'a'}, {}, {v: [3]}, {v: null}]
          {$last: '$x', window: {documents: ['unbounded', -1]}}       | [{v: null}, {v: 'a'}, {}, {v: [3]}]
          {$last: '$x', window: {documents: [0, 2]}}                  | [{v: [3]}, {v: null}, {v: null}, {v: null}]
          {$last: '$t', window: {range: [0, 1.5]}}                    | [{v: 2}, {v: 3}, {v: 4}, {v: 4}]
          {$last: '$t', window: {range: [-9, -2]}}                    | [{v: null}, {v: null}, {v: 1}, {v: 2}]
          {$shift: {output: '$x', by: 1}}                             | [{}, {v: [3]}, {v: null}, {v: null}]
          {$shift: {output: '$t', by: 1, default: 'none'}}            | [{v: 2}, {v: 3}, {v: 4}, {v: 'none'}]
          {$shift: {output: '$t', by: -1, default: {$add: [1, -1]}}}  | [{v: 0}, {v: 1}, {v: 2}, {v: 3}]
          {$shift: {output: '$t', by: {$numberLong: '-2'}}}           | [{v: null}, {v: null}, {v: 1}, {v: 2}]
          {$shift: {output: '$t', by: 0}}                             | [{v: 1}, {v: 2}, {v: 3}, {v: 4}]
          {$shift: {output: '$t', by: 99}}                            | [{v: null}, {v: null}, {v: null}, {v: null}]
          """)
  void ends(String function, String expected) {
    WindowFixture.check(function, INPUT, expected);
  }

  /** Documents with the same sort value are in the range, also those before. */
  @Test
  void rangesHaveTies() {
    WindowFixture.check(
        "{$first: '$x', window: {range: [0, 0]}}",
        "[{t: 1, x: 1}, {t: 1, x: 2}, {t: 2, x: 3}, {t: 2, x: 4}]",
        "[{v: 1}, {v: 1}, {v: 3}, {v: 3}]");
    WindowFixture.check(
        "{$last: '$x', window: {range: [0, 0]}}",
        "[{t: 1, x: 1}, {t: 1, x: 2}, {t: 2, x: 3}, {t: 2, x: 4}]",
        "[{v: 2}, {v: 2}, {v: 4}, {v: 4}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$first: '$x', more: 1}                        | 9 | $first got unexpected argument: more
          {$last: '$x', $first: '$x'}                    | 9 | $last got unexpected argument: $first
          {$shift: 1}                                    | 9 | Argument to $shift must be an object
          {$shift: {output: '$x'}}                       | 9 | $shift requires 'by' as an integer value.
          {$shift: {by: 1}}                              | 9 | $shift requires an 'output' expression.
          {$shift: {output: '$x', by: 1.5}}              | 9 | '$shift:by' field must be an integer, but found  by: 1.5
          {$shift: {output: '$x', by: 'x'}}              | 9 | '$shift:by' field must be an integer
          {$shift: {output: '$x', by: 1, default: '$x'}} | 9 | '$shift:default' expression must yield a constant value.
          {$shift: {output: '$x', by: 1, more: 1}}       | 9 | Unknown argument in $shift
          {$shift: {output: '$x', by: 1}, window: {}}    | 9 | $shift does not accept a 'window' field
          """)
  void errors(String function, int code, String message) {
    WindowFixture.checkError(function, INPUT, code, message);
  }

  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$first: '$x'}"))
        .isEqualTo(
            RawDocument.parse("{$first: '$x', window: {documents: ['unbounded', 'unbounded']}}"));
    assertThat(WindowFixture.explained("{$shift: {output: '$x', by: 1}}"))
        .isEqualTo(RawDocument.parse("{$shift: {by: 1, output: '$x', default: null}}"));
  }
}
