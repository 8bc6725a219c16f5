package dev.wisent.tools.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.tools.ShiftedClock;
import dev.wisent.tools.command.ToolException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ShiftedClock clock = new ShiftedClock();
  private final AtomicInteger beats = new AtomicInteger();
  private final AtomicBoolean owned = new AtomicBoolean(true);
  private final Fence fence =
      new Fence(
          () -> {
            beats.incrementAndGet();
            return owned.get();
          },
          clock);

  @Test
  void anOldAnswerIsNotTrusted() throws ToolException {
    fence.check();
    assertThat(beats).hasValue(1);
    clock.pass(LONG);
    fence.check();
    assertThat(beats).hasValue(2);
    clock.passWhileSuspended(LONG);
    fence.check();
    assertThat(beats).hasValue(3);
    owned.set(false);
    clock.pass(LONG);
    assertThatThrownBy(fence::check).hasMessageContaining("another process has taken over");
  }

  @Test
  void aBeatThatMatchesNothingEndsTheProcess() {
    owned.set(false);
    fence.beat();
    owned.set(true);
    assertThatThrownBy(fence::check).hasMessageContaining("another process has taken over");
  }

  @Test
  void aFailureBesideEndsTheWrites() {
    fence.beat();
    fence.fail(ToolException.failed("cannot note changes"));
    assertThatThrownBy(fence::check).hasMessage("cannot note changes");
  }
}
