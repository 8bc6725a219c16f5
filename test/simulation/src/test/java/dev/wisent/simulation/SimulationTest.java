package dev.wisent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.simulation.workload.Simulation;
import org.junit.jupiter.api.Test;

/**
 * Clusters under load and faults, one for each seed. A failure names its seed; {@code
 * -Dwisent.seed=N -Dwisent.simulation.seeds=1} runs it again, {@code
 * -Dwisent.simulation.trace=FILE} writes down all messages.
 */
class SimulationTest {
  private static final long FIRST = Long.getLong("wisent.seed", 1);
  private static final long COUNT = Long.getLong("wisent.simulation.seeds", 5);

  @Test
  void promisesHold() {
    for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
      Simulation.Outcome outcome = Simulation.run(seed);
      assertThat(outcome.steps()).isPositive();
    }
  }

  /** Here a call with the deletes of a range was lost, and they were not sent again. */
  @Test
  void aLostCallOfAMigrationIsRepeated() {
    assertThat(Simulation.run(149).steps()).isPositive();
  }

  @Test
  void aSeedDoesTheSameAgain() {
    assertThat(Simulation.run(FIRST)).isEqualTo(Simulation.run(FIRST));
  }
}
