package dev.wisent.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {

  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void returnsOnceTheConditionHolds() {
    AtomicInteger calls = new AtomicInteger();

    Eventually.holds("third call", LONG, () -> calls.incrementAndGet() == 3);

    assertThat(calls).hasValue(3);
  }

  @Test
  void returnsTheValueFound() {
    AtomicInteger calls = new AtomicInteger();

    int found =
        Eventually.yields(
            "an even number",
            LONG,
            () -> Optional.of(calls.incrementAndGet()).filter(n -> n % 2 == 0));

    assertThat(found).isEqualTo(2);
  }

  @Test
  void failsAtTheDeadlineWithWhatItWaitedFor() {
    assertThatThrownBy(() -> Eventually.holds("the impossible", SHORT, () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the impossible");
  }

  @Test
  void looksOnceEvenWithoutTime() {
    Eventually.holds("at once", Duration.ZERO, () -> true);
  }

  @Test
  void rethrowsTheLastFailureOfAnAssertion() {
    AtomicInteger calls = new AtomicInteger();
    Eventually.passes(LONG, () -> assertThat(calls.incrementAndGet()).isEqualTo(3));

    assertThatThrownBy(() -> Eventually.passes(SHORT, () -> assertThat(1).isEqualTo(2)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("2");
  }

  @Test
  void aFailingProbeIsNotRetried() {
    AtomicInteger calls = new AtomicInteger();

    assertThatThrownBy(
            () ->
                Eventually.holds(
                    "never",
                    LONG,
                    () -> {
                      calls.incrementAndGet();
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(calls).hasValue(1);
  }
}
