package dev.wisent.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ClosedLoopTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void sharesTheOperationsOutExactly() throws Exception {
    AtomicLong calls = new AtomicLong();
    Client client =
        () -> {
          calls.incrementAndGet();
          return 1;
        };
    Outcome outcome = ClosedLoop.run(List.of(client, client, client), new Limit(100, LONG));
    assertThat(calls).hasValue(100);
    assertThat(outcome.units()).isEqualTo(100);
    assertThat(outcome.latencies().getTotalCount()).isEqualTo(100);
  }

  @Test
  void countsTheUnitsOfABatchButItsLatencyOnce() throws Exception {
    Outcome outcome = ClosedLoop.run(List.of(() -> 1000), new Limit(3, LONG));
    assertThat(outcome.units()).isEqualTo(3000);
    assertThat(outcome.latencies().getTotalCount()).isEqualTo(3);
  }

  @Test
  void endsAfterItsTime() throws Exception {
    Duration time = Duration.ofMillis(50);
    Outcome outcome = ClosedLoop.run(List.of(() -> 1, () -> 1), Limit.ofTime(time));
    assertThat(outcome.units()).isPositive();
    assertThat(outcome.elapsedNanos()).isGreaterThanOrEqualTo(time.toNanos());
  }

  @Test
  void aFailureEndsAllClients() {
    Client fails =
        () -> {
          throw new IllegalStateException("duplicate key");
        };
    assertThatThrownBy(() -> ClosedLoop.run(List.of(() -> 1, fails), Limit.ofTime(LONG)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("duplicate key");
  }
}
