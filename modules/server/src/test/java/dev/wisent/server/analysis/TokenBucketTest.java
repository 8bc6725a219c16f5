package dev.wisent.server.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void anHourHasTheRateOfAnHour() {
    var bucket = new TokenBucket(0.5, 0);
    int taken = 0;
    for (long now = 0; now < 3_600 * SECOND; now += SECOND / 10) {
      taken += bucket.take(now) ? 1 : 0;
    }
    assertThat(taken).isBetween(1_799, 1_802);
  }

  @Test
  void aPauseSavesOneSecondOnly() {
    var bucket = new TokenBucket(3, 0);
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += bucket.take(1_000 * SECOND) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(3);
  }
}
