package dev.wisent.pipeline.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyTableTest {
  private static final int TRIES = 20_000;

  @Test
  void findsWhatWasPutAndNumbersItInOrder() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var table = new KeyTable();
    Map<String, Integer> model = new LinkedHashMap<>();
    for (int i = 0; i < TRIES; i++) {
      String text = "k".repeat(random.nextInt(20)) + random.nextInt(5_000);
      byte[] key = text.getBytes(StandardCharsets.UTF_8);
      // What stands behind the key in its array does not matter.
      int found = table.find(Arrays.copyOf(key, key.length + random.nextInt(9)), key.length);
      Integer known = model.putIfAbsent(text, model.size());
      assertThat(found).as("seed %d", seed).isEqualTo(known == null ? -model.size() : known);
      if (known == null) {
        RawValue value = RawValue.ofString("value of " + text);
        table.put(key, key.length, value.type(), value.bytes(), value.offset(), value.length());
      }
    }
    assertThat(table.size()).isEqualTo(model.size());
    model.forEach(
        (text, number) -> {
          assertThat(table.key(number)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
          assertThat(table.value(number)).isEqualTo(RawValue.ofString("value of " + text));
        });
    int[] order = table.inOrder();
    assertThat(order).hasSize(model.size());
    for (int i = 1; i < order.length; i++) {
      assertThat(Arrays.compareUnsigned(table.key(order[i - 1]), table.key(order[i]))).isNegative();
    }
  }

  @Test
  void largeEntriesHaveRoomOfTheirOwn() {
    var table = new KeyTable();
    for (int i = 0; i < 20; i++) {
      byte[] key = new byte[i % 2 == 0 ? 300_000 : 3];
      Arrays.fill(key, (byte) i);
      assertThat(table.find(key, key.length)).isEqualTo(-1 - i);
      RawValue value = RawValue.ofInt32(i);
      table.put(key, key.length, value.type(), value.bytes(), 0, value.length());
    }
    for (int i = 0; i < 20; i++) {
      assertThat(table.value(i).asInt32()).isEqualTo(i);
    }
    assertThat(table.bytes()).isBetween(3_000_000L, 3_500_000L);
  }

  /** Short keys are not compared byte by byte. */
  @Test
  void keysThatDifferOnlyInZerosAtTheEnd() {
    var table = new KeyTable();
    for (int round = 0; round < 2; round++) {
      for (int length = 0; length < 12; length++) {
        byte[] key = new byte[length];
        assertThat(table.find(key, length)).isEqualTo(round == 0 ? -1 - length : length);
        if (round == 0) {
          table.put(key, length, RawValue.NULL.type(), key, 0, 0);
        }
      }
    }
  }
}
