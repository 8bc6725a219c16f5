package dev.wisent.database.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GreatestKeysTest {
  private static final int KEYS_MAX = 16;

  @Test
  void ascendingKeysNeedNoStorage() {
    var keys = new GreatestKeys(KEYS_MAX);
    for (int i = 1; i < 100; i++) {
      assertThat(keys.addIfAbsent(key(i), () -> key(0))).isTrue();
    }
  }

  @Test
  void whatIsInStorageMayBeTaken() {
    var keys = new GreatestKeys(KEYS_MAX);
    assertThat(keys.addIfAbsent(key(5), () -> key(7))).isFalse();
    assertThat(keys.addIfAbsent(key(7), () -> key(9))).isFalse();
    assertThat(keys.addIfAbsent(key(8), () -> key(9))).isTrue();
  }

  @Test
  void neverCallsATakenKeyNew() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    System.out.println("GreatestKeysTest seed " + seed);
    var random = new SplittableRandom(seed);
    for (int round = 0; round < 200; round++) {
      var keys = new GreatestKeys(KEYS_MAX);
      var index = new TreeSet<byte[]>(Arrays::compareUnsigned);
      for (int i = random.nextInt(20); i > 0; i--) {
        index.add(key(random.nextInt(100)));
      }
      for (int i = 0; i < 200; i++) {
        byte[] key = key(i / 2 + random.nextInt(60));
        if (keys.addIfAbsent(key, () -> index.isEmpty() ? new byte[0] : index.last())) {
          assertThat(index).doesNotContain(key);
        }
        if (random.nextInt(4) > 0) {
          index.add(key); // committed
        }
        if (random.nextInt(8) == 0) {
          index.remove(key(random.nextInt(160)));
        }
      }
    }
  }

  private static byte[] key(int number) {
    return new byte[] {1, (byte) (number >>> 8), (byte) number};
  }
}
