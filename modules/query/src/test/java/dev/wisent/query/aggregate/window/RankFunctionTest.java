package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $rank}, {@code $denseRank} and {@code $documentNumber}. */
class RankFunctionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{t: 2}, {t: 1}, {t: 1}, {t: 3}, {t: 1.0}]          | [1, 1, 1, 4, 5] | [1, 1, 1, 2, 3] | [1, 2, 3, 4, 5]
          [{t: null}, {}, {t: 1}]                             | [1, 1, 3]       | [1, 1, 2]       | [1, 2, 3]
          [{p: 1, t: 1}, {p: 2, t: 1}, {p: 1, t: 1}]          | [1, 1, 1]       | [1, 1, 1]       | [1, 2, 1]
          [{t: [1, 5]}, {t: 1}, {t: 2}]                       | [1, 1, 3]       | [1, 1, 2]       | [1, 2, 3]
          [{t: 'a'}, {t: 1}, {t: {$date: '2020-01-01T00:00:00Z'}}] | [1, 2, 3]  | [1, 2, 3]       | [1, 2, 3]
          """)
  void ranks(String input, String rank, String denseRank, String number) {
    check("{$rank: {}}", input, rank);
    check("{$denseRank: {}}", input, denseRank);
    check("{$documentNumber: {}}", input, number);
  }

  private static void check(String function, String input, String values) {
    WindowFixture.check(
        function, input, values.replace("[", "[{v: ").replace(", ", "}, {v: ").replace("]", "}]"));
  }

  @Test
  void descendingArraysCountWithTheirLargest() {
    String stages =
        "[{$setWindowFields: {sortBy: {t: -1}, output: {v: {$rank: {}}}}}, {$unset: 't'}]";
    assertThat(StageFixture.run(stages, "[{t: [1, 5]}, {t: 5}, {t: 2}]"))
        .isEqualTo(StageFixture.documents("[{v: 1}, {v: 1}, {v: 3}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$rank: {}, window: {documents: [0, 1]}} | 5371601 | take no other arguments
          {$denseRank: 1}                          | 5371603 | $denseRank must be specified with '{}' as the value
          {$documentNumber: {a: 1}}                | 5371603 | $documentNumber must be specified with '{}'
          """)
  void errors(String function, int code, String message) {
    WindowFixture.checkError(function, "[]", code, message);
  }

  @Test
  void needOneSortKey() {
    for (String sort : new String[] {"", "sortBy: {a: 1, b: 1}, "}) {
      CommandException error =
          StageFixture.errorOf(
              "[{$setWindowFields: {" + sort + "output: {v: {$rank: {}}}}}]", "[]");
      assertThat(error.code().code()).isEqualTo(5371602);
    }
  }

  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$rank: {}}")).isEqualTo(RawDocument.parse("{$rank: {}}"));
  }
}
