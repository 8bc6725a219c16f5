package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.loop.BackgroundLoops;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.util.AwaitToRun;
import org.junit.jupiter.api.Test;

/** Ratis's own class for the thread that evicts segments, and a lock as that of its log. */
class EvictionDeadlockTest {
  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch evicting = new CountDownLatch(1);
  private final CountDownLatch evicted = new CountDownLatch(1);

  @Test
  void aCloseThatJoinsWhatWaitsForItsLockEnds() throws InterruptedException {
    var eviction = new AwaitToRun("test", this::evict).start();
    Thread closing = Thread.ofPlatform().daemon().unstarted(() -> close(eviction));
    try (var watch = EvictionDeadlock.watch(BackgroundLoops.silent().scheduler())) {
      closing.start();
      assertThat(closing.join(Duration.ofMinutes(1))).isTrue();
      assertThat(evicted.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private void close(AwaitToRun eviction) {
    lock.lock();
    try {
      awaitEviction(eviction);
      eviction.close();
    } finally {
      lock.unlock();
    }
  }

  /** A signal is lost if it comes before the thread waits for one. */
  private void awaitEviction(AwaitToRun eviction) {
    try {
      do {
        eviction.signal();
      } while (!evicting.await(10, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void evict() {
    evicting.countDown();
    lock.lock();
    try {
      evicted.countDown();
    } finally {
      lock.unlock();
    }
  }
}
