package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $derivative} and {@code $integral}. */
class TimedFunctionsTest {
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
