package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;

/** {@code $first}, {@code $last} and {@code $shift}. */
class EndFunctionTest {
  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$first: '$x'}"))
        .isEqualTo(
            RawDocument.parse("{$first: '$x', window: {documents: ['unbounded', 'unbounded']}}"));
    assertThat(WindowFixture.explained("{$shift: {output: '$x', by: 1}}"))
        .isEqualTo(RawDocument.parse("{$shift: {by: 1, output: '$x', default: null}}"));
  }
}
