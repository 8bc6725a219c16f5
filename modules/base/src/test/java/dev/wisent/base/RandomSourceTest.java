package dev.wisent.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RandomSourceTest {
  @Test
  void aSeedGivesTheSameValuesAgain() {
    assertThat(values(RandomSource.seeded(7))).isEqualTo(values(RandomSource.seeded(7)));
    assertThat(values(RandomSource.seeded(7))).isNotEqualTo(values(RandomSource.seeded(8)));
    assertThat(values(RandomSource.system())).isNotEqualTo(values(RandomSource.system()));
  }

  @Test
  void identifiersAreRandomUuids() {
    for (RandomSource random : List.of(RandomSource.seeded(7), RandomSource.system())) {
      List<UUID> ids = Stream.generate(random::nextUuid).limit(100).toList();
      assertThat(ids)
          .doesNotHaveDuplicates()
          .allMatch(id -> id.version() == 4 && id.variant() == 2);
    }
  }

  private static List<Object> values(RandomSource random) {
    return List.of(random.nextLong(), random.nextDouble(), random.nextInt(1000), random.nextUuid());
  }
}
