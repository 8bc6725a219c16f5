package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.query.aggregate.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $locf} and {@code $linearFill}. */
class FillFunctionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$locf: '$x'}       | [{t: 1}, {t: 2, x: 2}, {t: 3, x: null}, {t: 4}, {t: 5, x: 'x'}] | [{v: null}, {v: 2}, {v: 2}, {v: 2}, {v: 'x'}]
          {$locf: '$x'}       | [{p: 1, t: 1, x: [1]}, {p: 2, t: 1}]                            | [{v: [1]}, {v: null}]
          {$linearFill: '$x'} | [{t: 1}, {t: 2, x: 2}, {t: 3}, {t: 6, x: 10}, {t: 7, x: null}]  | [{v: null}, {v: 2}, {v: 4.0}, {v: 10}, {v: null}]
          {$linearFill: '$x'} | [{t: 0, x: 0}, {t: 1}, {t: 2}, {t: 4, x: 1}]                    | [{v: 0}, {v: 0.25}, {v: 0.5}, {v: 1}]
          {$linearFill: '$x'} | [{t: 0, x: 5}, {t: 1}]                                          | [{v: 5}, {v: null}]
          {$linearFill: '$x'} | [{p: 1, t: 0, x: 5}, {p: 1, t: 1}, {p: 2, t: 2, x: 3}]          | [{v: 5}, {v: null}, {v: 3}]
          {$linearFill: '$x'} | [{t: {$date: 1000}, x: 1}, {t: {$date: 2000}}, {t: {$date: 3000}, x: 2}] | [{v: 1}, {v: 1.5}, {v: 2}]
          {$linearFill: '$x'} | [{t: 0, x: {$numberDecimal: '1'}}, {t: 1}, {t: 2, x: {$numberDecimal: '2'}}] | [{v: {$numberDecimal: '1'}}, {v: {$numberDecimal: '1.5'}}, {v: {$numberDecimal: '2'}}]
          """)
  void values(String function, String input, String expected) {
    WindowFixture.check(function, input, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$locf: '$x', window: {documents: [0, 1]}}       | []                             | 9  | 'window' field is not allowed in $locf
          {$linearFill: '$x', window: {documents: [0, 1]}} | []                             | 9  | 'window' field is not allowed in $linearFill
          {$locf: '$x', more: 1}                           | []                             | 9  | Window function found an unknown argument: more
          {$linearFill: '$x'}                              | [{t: 1, x: 'a'}]               | 14 | Value to be filled must be numeric or nullish, but found string
          {$linearFill: '$x'}                              | [{t: 'a', x: 1}]               | 14 | Value of the sortBy field must be numeric or a date, but found string
          {$linearFill: '$x'}                              | [{x: 1}]                       | 14 | Value of the sortBy field must be numeric or a date, but found missing
          {$linearFill: '$x'}                              | [{t: 1, x: 1}, {t: 1.0, x: 2}] | 6050106 | There can be no repeated values in the sort field
          {$linearFill: '$x'}                              | [{t: 1, x: 1}, {t: {$date: 1}}] | 14 | Conflicting sort value types, previously received type int, but found date
          """)
  void errors(String function, String input, int code, String message) {
    WindowFixture.checkError(function, input, code, message);
  }

  @Test
  void linearFillNeedsOneSortKey() {
    String stages = "[{$setWindowFields: {output: {v: {$linearFill: '$x'}}}}]";
    assertThat(StageFixture.errorOf(stages, "[]").code()).isEqualTo(ErrorCode.LINEAR_FILL_SORT);
  }

  @Test
  void locfNeedsNoSort() {
    String stages = "[{$setWindowFields: {output: {v: {$locf: '$x'}}}}]";
    assertThat(StageFixture.run(stages, "[{x: 1}, {a: 1}]"))
        .isEqualTo(StageFixture.documents("[{x: 1, v: 1}, {a: 1, v: 1}]"));
  }
}
