package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecordIdSetTest {
  private static List<Long> ids(RecordIdSet set) {
    List<Long> ids = new ArrayList<>();
    set.forEach(ids::add);
    return ids;
  }

  @Test
  void holdsEachIdOnceAndInOrder() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    var set = new RecordIdSet();
    var expected = new TreeSet<Long>();
    for (int i = 0; i < 20_000; i++) {
      long id = random.nextLong(1L << random.nextInt(1, 62));
      set.add(id);
      expected.add(id);
    }
    assertThat(ids(set)).as("seed %d", seed).containsExactlyElementsOf(expected);
    assertThat(set.size()).isEqualTo(expected.size());
    set.clear();
    assertThat(ids(set)).isEmpty();
    assertThat(set.size()).isZero();
  }

  @Test
  void setsCanBeJoined() {
    var set = new RecordIdSet();
    set.add(0);
    set.add(63);
    set.add(64);
    var other = new RecordIdSet();
    other.add(63);
    other.add(4095);
    other.add(4096);
    set.addAll(other);
    assertThat(ids(set)).containsExactly(0L, 63L, 64L, 4095L, 4096L);
    assertThat(set.size()).isEqualTo(5);
  }
}
