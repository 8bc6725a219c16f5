package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.RandomSource;
import dev.wisent.base.simulation.SimulatedScheduler;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class ObjectIdsTest {
  private final SimulatedScheduler time =
      new SimulatedScheduler(1_700_000_000_500L, RandomSource.seeded(1));

  @Test
  void idsHoldTheSecondAndACounter() {
    var ids = new ObjectIds(time, RandomSource.seeded(2));
    String first = ids.get().toHexString();
    time.runFor(Duration.ofMillis(500));
    String second = ids.get().toHexString();
    assertThat(Integer.parseInt(first.substring(0, 8), 16)).isEqualTo(1_700_000_000);
    assertThat(Integer.parseInt(second.substring(0, 8), 16)).isEqualTo(1_700_000_001);
    assertThat(second.substring(8, 18)).isEqualTo(first.substring(8, 18));
    int count = Integer.parseInt(first.substring(18), 16);
    assertThat(Integer.parseInt(second.substring(18), 16)).isEqualTo((count + 1) & 0xff_ffff);
  }

  @Test
  void theSameSeedGivesTheSameIds() {
    assertThat(ten(2))
        .isEqualTo(ten(2))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(ten(3));
  }

  private List<ObjectId> ten(long seed) {
    return Stream.generate(new ObjectIds(time, RandomSource.seeded(seed))).limit(10).toList();
  }
}
