package dev.wisent.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
  private final Wall wall = new Wall();
  private final ClusterClock clock = new ClusterClock(wall);

  private static final class Wall implements Clock {
    private long millis;

    @Override
    public long wallMillis() {
      return millis;
    }

    @Override
    public long monotonicNanos() {
      return 0;
    }
  }

  private static long time(String instant) {
    return Instant.parse(instant).getEpochSecond() << 32;
  }

  @Test
  void timesGrowBeforeAndAfter2038() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    wall.millis = Instant.parse("2038-01-19T03:00:00Z").toEpochMilli();
    long last = clock.tick();
    for (int i = 0; i < 10_000; i++) {
      wall.millis += random.nextLong(-500, 1_000);
      if (random.nextInt(10) == 0) {
        clock.advanceTo(clock.now() + random.nextLong(-5_000, 5_000));
      }
      int count = 1 + random.nextInt(3);
      long first = clock.tick(count);
      assertThat(Long.compareUnsigned(first, last)).as("seed %d, step %d", seed, i).isPositive();
      last = first + count - 1;
      assertThat(clock.now()).isEqualTo(last);
    }
    assertThat(last).as("2038 is over").isNegative();
  }

  @Test
  void anOlderTimeDoesNotTurnTheClockBack() {
    clock.advanceTo(time("2040-01-01T00:00:00Z"));
    clock.advanceTo(time("2030-01-01T00:00:00Z"));
    assertThat(clock.now()).isEqualTo(time("2040-01-01T00:00:00Z"));
    wall.millis = Instant.parse("2035-01-01T00:00:00Z").toEpochMilli();
    assertThat(clock.tick()).isEqualTo(time("2040-01-01T00:00:00Z") + 1);
  }

  @Test
  void itFollowsTheWallClock() {
    clock.advanceTo(time("2030-01-01T00:00:00Z"));
    wall.millis = Instant.parse("2039-01-01T00:00:00Z").toEpochMilli();
    assertThat(clock.tick()).isEqualTo(time("2039-01-01T00:00:00Z") + 1);
  }
}
