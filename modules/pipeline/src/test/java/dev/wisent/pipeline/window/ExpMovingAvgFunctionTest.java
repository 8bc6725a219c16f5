package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;

class ExpMovingAvgFunctionTest {
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
