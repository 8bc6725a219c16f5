package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.pipeline.Stages;
import org.junit.jupiter.api.Test;

class StageRulesTest {
  @Test
  void everyStageHasARule() {
    assertThat(Stages.names())
        .hasSizeGreaterThan(40)
        .allSatisfy(
            name ->
                assertThat(StageRules.contains(name))
                    .as("a rule in StageRules for what %s needs", name)
                    .isTrue());
  }
}
