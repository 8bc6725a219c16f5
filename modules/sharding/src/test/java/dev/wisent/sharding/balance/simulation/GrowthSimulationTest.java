package dev.wisent.sharding.balance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.sharding.balance.simulation.GrowthSimulation.Day;
import dev.wisent.sharding.balance.simulation.GrowthSimulation.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthSimulationTest {
  @Test
  void aGrowingClusterStaysBalancedAndNoChunkMovesBackAndForth() {
    var days = new ArrayList<Day>();
    new GrowthSimulation(new Settings(50, 5_000, 60, 0.01, 7), Clock.system()).run(days::add);
    Day last = days.getLast();
    assertThat(days).hasSize(60);
    assertThat(last.bytes()).isGreaterThan(days.getFirst().bytes() * 3 / 2);
    // shard0 was drained, one shard was added.
    assertThat(last.shards()).isEqualTo(50);
    assertThat(last.chunksApart()).isLessThanOrEqualTo(3.01);
    assertThat(last.movesBack()).isZero();
    assertThat(last.moves()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(run(3)).isEqualTo(run(3)).isNotEqualTo(run(4));
  }

  private static List<Long> run(long seed) {
    var moved = new ArrayList<Long>();
    new GrowthSimulation(new Settings(10, 200, 9, 0.05, seed), Clock.system())
        .run(day -> moved.add(day.movedBytes()));
    return moved;
  }
}
