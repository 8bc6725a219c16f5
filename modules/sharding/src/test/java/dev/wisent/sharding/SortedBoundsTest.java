package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SortedBoundsTest {
  private final Random random = new Random(Long.getLong("wisent.seed", System.nanoTime()));

  /** Few different bytes, so that keys have beginnings in common or are beginnings themselves. */
  private byte[] key(byte[] prefix) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + random.nextInt(12));
    for (int i = prefix.length; i < key.length; i++) {
      key[i] = new byte[] {0, 1, (byte) 0xFF}[random.nextInt(3)];
    }
    return key;
  }

  @Test
  void findsTheLastBoundThatIsNotAbove() {
    for (int round = 0; round < 500; round++) {
      byte[] prefix = key(new byte[0]);
      var sorted = new TreeSet<byte[]>(Arrays::compareUnsigned);
      int count = random.nextInt(30);
      for (int i = 0; i < count; i++) {
        sorted.add(key(prefix));
      }
      List<byte[]> keys = List.copyOf(sorted);
      var bounds =
          new SortedBounds(
              keys.stream().map(key -> new EncodedBound(key, 0, key.length, key.length)).toList());
      for (int i = 0; i < 20; i++) {
        byte[] wanted = key(random.nextBoolean() ? prefix : new byte[0]);
        assertThat(bounds.floor(wanted)).isEqualTo(sorted.headSet(wanted, true).size() - 1);
      }
      for (int i = 0; i < keys.size(); i++) {
        assertThat(bounds.floor(keys.get(i))).isEqualTo(i);
        assertThat(bounds.get(i).key()).isEqualTo(keys.get(i));
      }
    }
  }
}
