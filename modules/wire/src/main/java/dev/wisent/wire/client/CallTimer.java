package dev.wisent.wire.client;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs tasks at their time. One loop waits for the earliest; tasks run on threads of their own. */
final class CallTimer implements AutoCloseable {
  /** A turn without tasks ends, so that the loop is seen to run. */
  private static final long TURN_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final Executor threads;
  private final BackgroundLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition earlier = lock.newCondition();
  private final TreeMap<Due, Runnable> tasks = new TreeMap<>(); // guarded by the lock
  private final long epochNanos;
  private long lastNumber; // guarded by the lock

  /** When, after the start of the timer; the number tells those of one time apart. */
  private record Due(long nanos, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** A task that can be taken back. */
  @FunctionalInterface
  interface Scheduled {
    void cancel();
  }

  CallTimer(String name, Clock clock, Executor threads, BackgroundLoops loops) {
    this.clock = clock;
    this.threads = threads;
    this.epochNanos = clock.monotonicNanos();
    this.loop = loops.loop(name, this::runNext);
    loop.start();
  }

  Scheduled after(long delayNanos, Runnable task) {
    lock.lock();
    try {
      long now = clock.monotonicNanos() - epochNanos;
      long at = delayNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + delayNanos;
      var due = new Due(at, ++lastNumber);
      tasks.put(due, task);
      if (tasks.firstKey() == due) {
        earlier.signal();
      }
      return () -> remove(due);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Due due) {
    lock.lock();
    try {
      tasks.remove(due);
    } finally {
      lock.unlock();
    }
  }

  private void runNext() throws InterruptedException {
    Runnable next = awaitNext();
    if (next != null) {
      threads.execute(next);
    }
  }

  /** The next task when it is due; null if there is none for a while, which ends the turn. */
  private Runnable awaitNext() throws InterruptedException {
    lock.lock();
    try {
      long left = TURN_NANOS_MAX;
      while (tasks.isEmpty() || nanosToFirst() > 0) {
        if (left <= 0) {
          return null;
        }
        left = earlier.awaitNanos(tasks.isEmpty() ? left : Math.min(left, nanosToFirst()));
      }
      return tasks.pollFirstEntry().getValue();
    } finally {
      lock.unlock();
    }
  }

  private long nanosToFirst() {
    return tasks.firstKey().nanos - (clock.monotonicNanos() - epochNanos);
  }

  @Override
  public void close() {
    loop.interrupt();
  }
}
