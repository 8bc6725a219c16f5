package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ForegroundPaceTest {
  private long micros;
  private long operations;
  private long nanos;
  private final ForegroundPace pace =
      new ForegroundPace(() -> micros, () -> operations, () -> nanos);

  private void clients(int count, long microsEach) {
    operations += count;
    micros += count * microsEach;
  }

  private void rest(long microsEach) {
    for (int i = 0; i < 20; i++) {
      clients(100, microsEach);
      pace.rest();
    }
  }

  private long batches(int count, long microsEach) {
    long last = 0;
    for (int i = 0; i < count; i++) {
      clients(100, microsEach);
      last = pace.pauseMillis();
    }
    return last;
  }

  @Test
  void aMigrationThatSlowsClientsDownPausesLongerAndLonger() {
    rest(3_000);
    assertThat(batches(1, 10_000)).isEqualTo(ForegroundPace.PAUSE_MILLIS_MIN);
    assertThat(batches(1, 10_000)).isEqualTo(2 * ForegroundPace.PAUSE_MILLIS_MIN);
    assertThat(batches(20, 10_000)).isEqualTo(ForegroundPace.PAUSE_MILLIS_MAX);
  }

  @Test
  void thePauseGetsShorterWhenClientsAreQuickAgain() {
    rest(3_000);
    assertThat(batches(20, 10_000)).isEqualTo(ForegroundPace.PAUSE_MILLIS_MAX);
    assertThat(batches(1, 4_000)).isEqualTo(ForegroundPace.PAUSE_MILLIS_MAX / 2);
    assertThat(batches(20, 4_000)).isZero();
  }

  @Test
  void clientsThatWereAsSlowBeforeAreNoReasonToPause() {
    rest(50_000);
    assertThat(batches(20, 60_000)).isZero();
  }

  @Test
  void quickOperationsAreNoReasonToPause() {
    rest(100);
    assertThat(batches(20, 1_900)).isZero();
  }

  @Test
  void withoutClientsAMigrationDoesNotPause() {
    assertThat(batches(5, 100_000)).as("it is not known what is slow").isZero();
    rest(3_000);
    operations++;
    micros += 1_000_000;
    assertThat(pace.pauseMillis()).isZero();
  }

  @Test
  void whatClientsWaitDuringAMigrationIsNotTakenForNormal() {
    rest(3_000);
    batches(3, 10_000);
    clients(100, 10_000);
    pace.rest();
    assertThat(batches(1, 10_000)).isPositive();
    nanos += TimeUnit.SECONDS.toNanos(6);
    pace.rest();
    rest(3_000);
    assertThat(batches(1, 10_000)).isEqualTo(ForegroundPace.PAUSE_MILLIS_MIN);
  }
}
