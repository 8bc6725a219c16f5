package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ForegroundPaceTest {
  private static final long BATCH_NANOS = 1_000;
  private static final long PAUSE_MAX = ForegroundPace.MULTIPLE_MAX * BATCH_NANOS;

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
      last = pace.pauseNanos(BATCH_NANOS);
    }
    return last;
  }

  @Test
  void aMigrationThatSlowsClientsDownPausesLongerAndLonger() {
    rest(3_000);
    assertThat(batches(1, 3_000)).isEqualTo(BATCH_NANOS);
    assertThat(batches(1, 10_000)).isEqualTo(2 * BATCH_NANOS);
    assertThat(batches(1, 10_000)).isEqualTo(4 * BATCH_NANOS);
    assertThat(batches(20, 10_000)).isEqualTo(PAUSE_MAX);
  }

  @Test
  void thePauseGetsShorterWhenClientsAreQuickAgain() {
    rest(3_000);
    assertThat(batches(20, 10_000)).isEqualTo(PAUSE_MAX);
    assertThat(batches(1, 3_400)).isEqualTo(PAUSE_MAX / 2);
    assertThat(batches(20, 3_400)).isEqualTo(BATCH_NANOS);
  }

  @Test
  void clientsThatWereAsSlowBeforeAreNoReasonToPauseLonger() {
    rest(50_000);
    assertThat(batches(20, 55_000)).isEqualTo(BATCH_NANOS);
  }

  @Test
  void someMicrosecondsAreNoReasonToPauseLonger() {
    rest(50);
    assertThat(batches(20, 95)).isEqualTo(BATCH_NANOS);
  }

  @Test
  void withoutClientsAMigrationDoesNotPause() {
    assertThat(pace.pauseNanos(BATCH_NANOS)).isZero();
    assertThat(batches(5, 100_000)).as("it is not known what is slow").isEqualTo(BATCH_NANOS);
    operations++;
    micros += 1_000_000;
    assertThat(pace.pauseNanos(BATCH_NANOS)).isZero();
  }

  @Test
  void noPauseIsLongerThanASecond() {
    rest(3_000);
    batches(20, 10_000);
    clients(100, 10_000);
    assertThat(pace.pauseNanos(TimeUnit.MINUTES.toNanos(1)))
        .isEqualTo(ForegroundPace.PAUSE_NANOS_MAX);
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
    assertThat(batches(1, 10_000)).isEqualTo(BATCH_NANOS);
  }
}
