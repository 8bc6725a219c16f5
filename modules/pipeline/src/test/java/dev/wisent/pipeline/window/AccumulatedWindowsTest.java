package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;

/** The functions that groups have too, in windows that grow and windows that move. */
class AccumulatedWindowsTest {
  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$count: {}}"))
        .isEqualTo(
            RawDocument.parse(
                "{$sum: {$const: 1}, window: {documents: ['unbounded', 'unbounded']}}"));
    assertThat(
            WindowFixture.explained("{$firstN: {n: 2, input: '$x'}, window: {documents: [-1, 0]}}"))
        .isEqualTo(
            RawDocument.parse(
                "{$firstN: {n: {$const: 2}, input: '$x'}, window: {documents: [-1, 0]}}"));
  }
}
