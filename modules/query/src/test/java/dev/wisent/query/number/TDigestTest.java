package dev.wisent.query.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TDigestTest {
  private static final int COUNT = 200_000;

  /** Uniform numbers, so that the percentile is the part of the range. */
  @Test
  void manyNumbersGiveResultsThatAreNearlyRight() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var digest = new TDigest();
    var merged = new TDigest();
    for (int part = 0; part < 10; part++) {
      var partial = new TDigest();
      for (int i = 0; i < COUNT / 10; i++) {
        double number = random.nextDouble();
        digest.add(number);
        partial.add(number);
      }
      merged.merge(partial.partial());
    }
    for (double p : new double[] {0, 0.0001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 1}) {
      assertThat(digest.get(p).asDouble()).as("seed %d", seed).isCloseTo(p, Offset.offset(0.01));
      assertThat(merged.get(p).asDouble()).as("seed %d", seed).isCloseTo(p, Offset.offset(0.01));
    }
    assertThat(digest.bytes()).isLessThan(200_000);
  }
}
