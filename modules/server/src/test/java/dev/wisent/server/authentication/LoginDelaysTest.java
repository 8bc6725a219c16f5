package dev.wisent.server.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginDelaysTest {
  private long now = Long.MAX_VALUE - 5;
  private final LoginDelays delays =
      new LoginDelays(
          new Clock() {
            @Override
            public long wallMillis() {
              return 0;
            }

            @Override
            public long monotonicNanos() {
              return now;
            }
          });

  private long failedMillis(String address) {
    return TimeUnit.NANOSECONDS.toMillis(delays.failed(address));
  }

  @Test
  void answersAreLetGoOneAfterTheOther() {
    for (int i = 0; i < 3; i++) {
      assertThat(failedMillis("a")).isZero();
    }
    assertThat(failedMillis("a")).isEqualTo(100);
    assertThat(failedMillis("a")).isEqualTo(300);
    assertThat(failedMillis("a")).isEqualTo(700);
    assertThat(failedMillis("b")).isZero();
    for (int i = 0; i < 100; i++) {
      assertThat(failedMillis("a")).isLessThanOrEqualTo(10_000);
    }
    assertThat(failedMillis("a")).isEqualTo(10_000);
  }

  @Test
  void aSuccessAndTimeMakeAmends() {
    for (int i = 0; i < 10; i++) {
      delays.failed("a");
    }
    delays.succeeded("a");
    assertThat(failedMillis("a")).isZero();
    for (int i = 0; i < 10; i++) {
      delays.failed("a");
    }
    now += TimeUnit.MINUTES.toNanos(11);
    assertThat(failedMillis("a")).isZero();
  }

  @Test
  void addressesAreForgottenBeforeTheyFillTheMemory() {
    for (int i = 0; i < 20_000; i++) {
      delays.failed("address" + i);
    }
    assertThat(delays.size()).isEqualTo(10_000);
  }
}
