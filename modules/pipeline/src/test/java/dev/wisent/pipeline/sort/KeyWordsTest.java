package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyWordsTest {
  /** Sorts keys that stand somewhere in arrays; gives their numbers. */
  private static List<Integer> sorted(List<byte[]> keys, SplittableRandom random) {
    long[] words = new long[keys.size()];
    long[] positions = new long[keys.size()];
    var places = new ArrayList<KeyWords.Key>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      int offset = random.nextInt(3);
      byte[] around = new byte[offset + key.length + random.nextInt(10)];
      random.nextBytes(around);
      System.arraycopy(key, 0, around, offset, key.length);
      places.add(new KeyWords.Key(around, offset, key.length));
      words[i] = KeyWords.word(around, offset, key.length);
      positions[i] = i;
    }
    new KeyWords(words, positions, at -> places.get((int) at)).sort(keys.size());
    return Arrays.stream(positions).mapToObj(at -> (int) at).toList();
  }

  private static void check(List<byte[]> keys, SplittableRandom random, long seed) {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      expected.add(i);
    }
    expected.sort(Comparator.comparing(keys::get, Arrays::compareUnsigned));
    assertThat(sorted(keys, random)).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void theOrderOfBytesAndThenOfArrival() {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    for (int size : new int[] {0, 1, 2, 7, 8, 9, 100, 1_000}) {
      for (int length : new int[] {0, 1, 6, 7, 8, 15, 30}) {
        for (int values : new int[] {2, 256}) {
          var keys = new ArrayList<byte[]>();
          for (int i = 0; i < size; i++) {
            byte[] key = new byte[random.nextInt(length + 1)];
            for (int at = 0; at < key.length; at++) {
              key[at] = (byte) (random.nextInt(values) * 255 / (values - 1));
            }
            keys.add(key);
          }
          check(keys, random, seed);
        }
      }
    }
  }

  /** These are compared as a whole in the end. */
  @Test
  void keysThatAgreeForLong() {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    var keys = new ArrayList<byte[]>();
    for (int i = 0; i < 300; i++) {
      byte[] key = new byte[440 + random.nextInt(20)];
      Arrays.fill(key, (byte) 0xC3);
      key[random.nextInt(430, key.length)] = (byte) random.nextInt(3);
      keys.add(key);
    }
    check(keys, random, seed);
  }

  @Test
  void whatIsInOrderStaysSo() {
    var keys = new ArrayList<byte[]>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(new byte[] {(byte) (i >> 6), (byte) (i >> 3)});
    }
    check(keys, new SplittableRandom(1), 1);
  }
}
