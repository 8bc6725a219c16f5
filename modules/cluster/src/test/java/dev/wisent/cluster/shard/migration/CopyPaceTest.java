package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import org.junit.jupiter.api.Test;

class CopyPaceTest {
  private static final long STEP_NANOS = 1_000;

  private long stepNanos = STEP_NANOS;
  private long micros;
  private long operations;

  /** Each look at it takes a while. */
  private final Clock clock =
      new Clock() {
        private long nanos;

        @Override
        public long wallMillis() {
          return 0;
        }

        @Override
        public long monotonicNanos() {
          nanos += stepNanos;
          return nanos;
        }
      };

  private final OperationContext operation = OperationContext.internal(clock);
  private final CopyPace pace =
      new CopyPace(new ForegroundPace(() -> micros, () -> operations, clock::monotonicNanos));

  private void clients() {
    operations += 100;
    micros += 1_000_000;
  }

  private long batch(long asked) {
    return pace.afterBatch(operation, clock.monotonicNanos(), asked);
  }

  @Test
  void batchesGrowWithoutClientsAndShrinkWithThem() {
    assertThat(pace.documentsMax()).isEqualTo(32);
    for (int i = 0; i < 10; i++) {
      assertThat(batch(0)).isZero();
    }
    assertThat(pace.documentsMax()).isEqualTo(1000);
    assertThat(pace.bytesMax()).isEqualTo(4 << 20);
    clients();
    assertThat(batch(0)).isEqualTo(STEP_NANOS);
    assertThat(pace.documentsMax()).isEqualTo(32);
  }

  @Test
  void aRecipientMayAskForALongerPause() {
    assertThat(batch(50_000)).isEqualTo(50_000);
    assertThat(pace.documentsMax()).isEqualTo(32);
    stepNanos = ForegroundPace.PAUSE_NANOS_MAX;
    assertThat(batch(Long.MAX_VALUE)).isEqualTo(ForegroundPace.PAUSE_NANOS_MAX);
  }

  @Test
  void theEndOfTheOperationEndsThePause() {
    operation.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(() -> batch(50_000)).isInstanceOf(CommandException.class);
  }
}
