package dev.wisent.pipeline.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;

class FirstNAccumulatorTest {
  @Test
  void theNumberMayDependOnTheGroup() {
    String pipeline =
        "[{$group: {_id: {k: '$k'}, v: {$firstN: {n: {$cond: [{$eq: ['$k', 1]}, 2, 1]}, input:"
            + " '$a'}}}}]";
    var documents =
        StageFixture.documents("[{k: 1, a: 1}, {k: 2, a: 2}, {k: 1, a: 3}, {k: 2, a: 4}]");
    var expected = StageFixture.documents("[{_id: {k: 1}, v: [1, 3]}, {_id: {k: 2}, v: [2]}]");
    assertThat(StageFixture.run(pipeline, documents)).isEqualTo(expected);
    assertThat(StageFixture.runInFiles(pipeline, documents)).isEqualTo(expected);
  }
}
