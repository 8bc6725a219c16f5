package dev.wisent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.machine.Mutant;
import dev.wisent.simulation.workload.Simulation;
import dev.wisent.simulation.workload.Violation;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without a rule of migrations and transactions, a seed finds what goes wrong. */
class RulesTest {
  private static final int SEEDS_MAX = 2000;

  @BeforeAll
  static void prepare() {
    SimulatedCluster.prepareJvm();
  }

  @Test
  void whatDecidesAMigrationIsNeeded() throws Exception {
    assertFound(Rules.ALL.stream().filter(mutant -> mutant.rule().equals("H1")).toList());
  }

  @Test
  @Tag("faults")
  void rulesAreNeeded() throws Exception {
    assertFound(Rules.ALL);
  }

  private static void assertFound(List<Mutant> mutants) throws Exception {
    for (Mutant mutant : mutants) {
      try (AutoCloseable used = mutant.use()) {
        assertThat(isFound()).as("%s without %s", mutant, mutant.rule()).isTrue();
      }
    }
  }

  private static boolean isFound() {
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      try {
        Simulation.run(seed);
      } catch (IllegalStateException e) {
        if (!Violation.isCauseOf(e)) {
          throw e;
        }
        return true;
      }
    }
    return false;
  }
}
