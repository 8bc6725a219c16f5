package dev.wisent.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.operation.SessionId;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SessionRegistryTest {
  private static final SessionId ONE = SessionId.of(1, 1);
  private static final SessionId TWO = SessionId.of(1, 2);

  private final SettableClock clock = new SettableClock();
  private final SessionRegistry sessions = new SessionRegistry(clock);

  private static final class SettableClock implements Clock {
    private long minutes = 1_000;

    @Override
    public long wallMillis() {
      return TimeUnit.MINUTES.toMillis(minutes);
    }

    @Override
    public long monotonicNanos() {
      return TimeUnit.MINUTES.toNanos(minutes);
    }
  }

  @Test
  void unusedSessionsEnd() {
    sessions.used(ONE);
    sessions.used(TWO);
    clock.minutes += 29;
    sessions.used(TWO);
    assertThat(sessions.endIdle()).isEmpty();
    clock.minutes += 2;
    assertThat(sessions.endIdle()).containsExactly(ONE);
    assertThat(sessions.list())
        .containsExactly(
            new SessionRegistry.Listed(TWO, TimeUnit.MINUTES.toMillis(clock.minutes - 2)));
    sessions.end(TWO);
    assertThat(sessions.count()).isZero();
  }
}
