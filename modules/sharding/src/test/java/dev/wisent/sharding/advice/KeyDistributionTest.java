package dev.wisent.sharding.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import org.junit.jupiter.api.Test;

class KeyDistributionTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{a: 1}"));

  private static void add(KeyDistribution to, int value, long insertion) {
    EncodedKey key = EncodedKey.of(KEY, RawDocument.parse("{a: " + value + "}"));
    to.add(key.bytes(), key.key(), insertion);
  }

  @Test
  void theMostCommonValuesComeFirst() {
    var values = new KeyDistribution(2);
    int[] frequencies = {3, 1, 7, 2, 5};
    for (int value = 0; value < frequencies.length; value++) {
      for (int i = 0; i < frequencies[value]; i++) {
        add(values, value, 0);
      }
    }
    assertThat(values.documents()).isEqualTo(18);
    assertThat(values.distinctValues()).isEqualTo(5);
    assertThat(values.mostCommon())
        .extracting(KeyDistribution.CommonValue::frequency)
        .containsExactly(7L, 5L);
  }

  @Test
  void orderOfInsertion() {
    var ascending = new KeyDistribution(1);
    var descending = new KeyDistribution(1);
    var unordered = new KeyDistribution(1);
    for (int i = 0; i < 1_000; i++) {
      add(ascending, i, 10L + i * 3L);
      add(descending, i, 5_000L - i);
      add(unordered, i, (i * 7_919L) % 1_000);
    }
    assertThat(ascending.insertionCorrelation()).isCloseTo(1, within(1e-9));
    assertThat(descending.insertionCorrelation()).isCloseTo(-1, within(1e-9));
    assertThat(unordered.insertionCorrelation()).isCloseTo(0, within(0.1));
  }

  @Test
  void oneValueHasNoOrder() {
    var values = new KeyDistribution(1);
    add(values, 1, 1);
    add(values, 1, 2);
    assertThat(values.insertionCorrelation()).isZero();
  }
}
