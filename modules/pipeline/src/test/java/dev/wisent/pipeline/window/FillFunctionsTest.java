package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;

/** {@code $locf} and {@code $linearFill}. */
class FillFunctionsTest {
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
