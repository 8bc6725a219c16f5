package dev.wisent.base.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadSchedulerTest {
  private static final int DEADLINE_SECONDS = 60;

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final BlockingQueue<Error> broken = new ArrayBlockingQueue<>(1);
  private final BackgroundLoops loops =
      new BackgroundLoops(
          Clock.system(),
          new ServerLog(lines::add, Clock.system()).of(LogComponent.CONTROL),
          broken::add);
  private final Scheduler scheduler = loops.scheduler();

  @Test
  void tasksThatBlockDoNotDelayOthers() throws Exception {
    var hold = new CountDownLatch(1);
    var ran = new CountDownLatch(3);
    scheduler.run("blocked", () -> awaitQuietly(hold));
    scheduler.after(Duration.ofNanos(1), "blocked later", () -> awaitQuietly(hold));
    scheduler.run("now", ran::countDown);
    scheduler.after(Duration.ofMillis(1), "later", ran::countDown);
    Scheduler.Task ticks = scheduler.every(Duration.ofMillis(1), "ticks", ran::countDown);
    assertThat(ran.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    ticks.cancel();
    hold.countDown();
  }

  @Test
  void aCancelledTaskIsForgotten() {
    var own = new ThreadScheduler(loops, Log.silent());
    Scheduler.Task task = own.after(Duration.ofDays(1), "tomorrow", () -> {});
    assertThat(own.pending()).isEqualTo(1);
    task.cancel();
    assertThat(own.pending()).isZero();
  }

  @Test
  void aPeriodicTaskGoesOnAfterAnExceptionUntilItIsCancelled() throws Exception {
    var runs = new CountDownLatch(3);
    Scheduler.Task task =
        scheduler.every(
            Duration.ofMillis(1),
            "periodic",
            () -> {
              runs.countDown();
              throw new IllegalStateException("always");
            });
    assertThat(runs.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(loops.counts()).extracting(LoopCounts::name).contains("periodic");
    task.cancel();
    assertThat(loops.counts()).isEmpty();
  }

  @Test
  void anExceptionIsLogged() throws Exception {
    scheduler.run(
        "fails",
        () -> {
          throw new IllegalStateException("not this time");
        });
    assertThat(lines.poll(DEADLINE_SECONDS, TimeUnit.SECONDS))
        .contains("fails")
        .contains("not this time");
  }

  @Test
  void anErrorStopsTheNode() throws Exception {
    scheduler.after(
        Duration.ZERO,
        "broken",
        () -> {
          throw new AssertionError("the sum is wrong");
        });
    assertThat(broken.poll(DEADLINE_SECONDS, TimeUnit.SECONDS)).hasMessage("the sum is wrong");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
