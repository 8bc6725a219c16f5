package dev.wisent.base.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundLoopTest {
  private static final int DEADLINE_SECONDS = 60;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Error> broken = new ArrayBlockingQueue<>(1);
  private final BackgroundLoops loops =
      new BackgroundLoops(
          Clock.system(),
          new ServerLog(lines::add, Clock.system()).of(LogComponent.CONTROL),
          broken::add);
  private BackgroundLoop loop;

  @AfterEach
  void stop() {
    loop.interrupt();
    loop.join();
    assertThat(loop.counts().running()).isFalse();
  }

  @Test
  void anExceptionIsLoggedAndCountedAndTheLoopGoesOn() throws Exception {
    var turns = new AtomicInteger();
    var later = new CountDownLatch(5);
    loop =
        loops.loop(
            "worker",
            () -> {
              if (turns.incrementAndGet() <= 2) {
                throw new IllegalStateException("not this time");
              }
              later.countDown();
            });
    loop.start();
    assertThat(later.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    LoopCounts counts = loops.counts().getFirst();
    assertThat(counts.name()).isEqualTo("worker");
    assertThat(counts.failures()).isEqualTo(2);
    assertThat(counts.turns()).isPositive();
    assertThat(counts.lastError()).contains("not this time");
    assertThat(counts.running()).isTrue();
    assertThat(lines).anyMatch(line -> line.contains("worker") && line.contains("not this time"));
    assertThat(broken).isEmpty();
  }

  @Test
  void aCheckedExceptionAndAnInterruptDoNotEndIt() throws Exception {
    var turns = new AtomicInteger();
    var later = new CountDownLatch(1);
    loop =
        loops.loop(
            "worker",
            () -> {
              switch (turns.incrementAndGet()) {
                case 1 -> throw new java.io.IOException("no");
                case 2 -> throw new InterruptedException();
                default -> later.countDown();
              }
            });
    loop.start();
    assertThat(later.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(loops.counts().getFirst().failures()).isEqualTo(2);
  }

  @Test
  void aPeriodicTurnIsTakenAgainAfterAFailure() throws Exception {
    var turns = new CountDownLatch(3);
    loop =
        loops.every(
            Duration.ofMillis(1),
            "periodic",
            () -> {
              turns.countDown();
              throw new IllegalStateException("always");
            });
    loop.start();
    assertThat(turns.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anErrorEndsTheLoopAndIsHandedToTheNode() throws Exception {
    loop =
        loops.loop(
            "worker",
            () -> {
              throw new AssertionError("the sum is wrong");
            });
    loop.start();
    assertThat(broken.poll(DEADLINE_SECONDS, TimeUnit.SECONDS)).hasMessage("the sum is wrong");
    loop.join();
    assertThat(loop.counts().running()).isFalse();
    assertThat(loop.counts().failures()).isEqualTo(1);
    assertThat(lines).anyMatch(line -> line.contains("broken invariant"));
  }

  @Test
  void aStopEndsTheWaitForTheNextPeriod() {
    loop = loops.every(Duration.ofDays(1), "daily", () -> {});
    loop.start();
    loop.stop();
    loop.join();
    assertThat(loop.counts().failures()).isZero();
    assertThat(lines).isEmpty();
  }

  @Test
  void aTurnThatIsInterruptedByTheStopIsNoFailure() {
    loop = loops.loop("waiting", () -> new CountDownLatch(1).await());
    loop.start();
    loop.interrupt();
    loop.join();
    assertThat(loop.counts().failures()).isZero();
  }

  @Test
  void aTestCanHaveTheNextTurnThrow() throws Exception {
    var turn = new CountDownLatch(1);
    loop = loops.every(Duration.ofDays(1), "daily", turn::countDown);
    loop.start();
    assertThat(loops.failNextTurn("daily", new IllegalStateException("asked for"))).isTrue();
    assertThat(loops.failNextTurn("other", new IllegalStateException())).isFalse();
    while (loop.counts().failures() == 0) {
      Thread.onSpinWait();
    }
    assertThat(loop.counts().lastError()).contains("asked for");
    assertThat(loop.counts().running()).isTrue();
  }
}
