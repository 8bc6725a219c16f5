package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;

/** {@code $rank}, {@code $denseRank} and {@code $documentNumber}. */
class RankFunctionTest {
  @Test
  void descendingArraysCountWithTheirLargest() {
    String stages =
        "[{$setWindowFields: {sortBy: {t: -1}, output: {v: {$rank: {}}}}}, {$unset: 't'}]";
    assertThat(StageFixture.run(stages, "[{t: [1, 5]}, {t: 5}, {t: 2}]"))
        .isEqualTo(StageFixture.documents("[{v: 1}, {v: 1}, {v: 3}]"));
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
