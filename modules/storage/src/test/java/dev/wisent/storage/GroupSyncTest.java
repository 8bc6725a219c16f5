package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GroupSyncTest {
  @Test
  void oneSyncServesAllWhoWroteBeforeIt() {
    AtomicInteger calls = new AtomicInteger();
    GroupSync group = new GroupSync(calls::incrementAndGet, 0);
    long first = group.completed();
    long second = group.completed();
    group.awaitDurable(first);
    group.awaitDurable(second);
    assertThat(calls).hasValue(1);
    assertThat(group.hasUnsynced()).isFalse();
    group.completed();
    assertThat(group.hasUnsynced()).isTrue();
  }

  @Test
  void aWriteDuringASyncWaitsForTheNextOne() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    GroupSync group =
        new GroupSync(
            () -> {
              if (calls.incrementAndGet() == 1) {
                started.countDown();
                await(finish);
              }
            },
            0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      long early = group.completed();
      Future<?> leader = threads.submit(() -> group.awaitDurable(early));
      await(started);
      long late = group.completed();
      List<Future<?>> waiters = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiters.add(threads.submit(() -> group.awaitDurable(late)));
      }
      finish.countDown();
      leader.get(30, TimeUnit.SECONDS);
      for (Future<?> waiter : waiters) {
        waiter.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(calls).as("one for the early write, one for all the late ones").hasValue(2);
  }

  @Test
  void afterAFailedSyncNothingIsAcknowledgedAnyMore() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch fail = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    GroupSync group =
        new GroupSync(
            () -> {
              calls.incrementAndGet();
              started.countDown();
              await(fail);
              throw new StorageException(Kind.FULL, "the disk is full");
            },
            0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      long early = group.completed();
      Future<?> leader = threads.submit(() -> group.awaitDurable(early));
      await(started);
      long late = group.completed();
      Future<?> follower = threads.submit(() -> group.awaitDurable(late));
      fail.countDown();
      assertThatThrownBy(() -> leader.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(StorageException.class);
      assertThatThrownBy(() -> follower.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(StorageException.class);
    }
    assertThatThrownBy(group::checkHealthy)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL))
        .hasMessageContaining("the disk is full");
    assertThatThrownBy(() -> group.awaitDurable(group.completed()))
        .isInstanceOf(StorageException.class);
    assertThat(calls).as("never tried again").hasValue(1);
    assertThat(group.syncCount()).isZero();
  }

  /** A disk may hang: only the thread that is in the call has to wait for it. */
  @Test
  void aWaitForAnotherThreadEndsWithItsTime() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    GroupSync group =
        new GroupSync(
            () -> {
              calls.incrementAndGet();
              started.countDown();
              await(finish);
            },
            0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      long early = group.completed();
      Future<?> leader = threads.submit(() -> group.awaitDurable(early));
      await(started);
      long late = group.completed();
      assertThat(group.awaitDurable(late, 0)).isFalse();
      assertThat(group.awaitDurable(late, 1)).isFalse();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> group.awaitDurable(late, TimeUnit.DAYS.toNanos(1)))
          .isInstanceOf(InterruptedException.class);
      finish.countDown();
      leader.get(30, TimeUnit.SECONDS);
      assertThat(calls).as("those who gave up need no sync").hasValue(1);
      assertThat(group.awaitDurable(late, 0)).as("no other thread syncs").isTrue();
    }
    assertThat(calls).hasValue(2);
    assertThat(group.hasUnsynced()).isFalse();
  }

  /** Threads that give up at any time leave no other one behind. */
  @Test
  void allWaitsEndWhileOthersGiveUp() throws Exception {
    GroupSync group = new GroupSync(Thread::yield, 0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean patient = i % 2 == 0;
        writers.add(threads.submit(() -> write(group, patient)));
      }
      for (Future<?> writer : writers) {
        writer.get(30, TimeUnit.SECONDS);
      }
    }
    group.awaitDurable(group.newestPosition());
    assertThat(group.hasUnsynced()).isFalse();
  }

  private static Void write(GroupSync group, boolean patient) throws InterruptedException {
    for (int i = 0; i < 2000; i++) {
      long position = group.completed();
      if (patient) {
        group.awaitDurable(position);
      } else {
        group.awaitDurable(position, i % 3 * 1000L);
      }
    }
    return null;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
