package dev.wisent.database;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Threads that do something at the same time, within a deadline. */
public final class Workers {
  private static final Duration DEADLINE = Duration.ofSeconds(240);

  private Workers() {}

  /** What one of the threads does; they are numbered from 0. */
  public interface Task {
    void run(int thread) throws Exception;
  }

  /** Runs the task in all threads and returns when they are done; fails if one of them does. */
  public static void run(int threads, Task task) {
    var start = new CountDownLatch(1);
    var workers = new ArrayList<Thread>();
    ExecutorService executor =
        Executors.newFixedThreadPool(
            threads,
            runnable -> {
              Thread thread = Thread.ofPlatform().daemon().unstarted(runnable);
              workers.add(thread);
              return thread;
            });
    try {
      var futures = new ArrayList<Future<?>>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        futures.add(
            executor.submit(
                () -> {
                  start.await();
                  task.run(number);
                  return null;
                }));
      }
      start.countDown();
      await(futures, workers);
    } finally {
      // Not waited for: threads that are stuck would keep the failure from being reported.
      executor.shutdownNow();
    }
  }

  private static void await(List<Future<?>> futures, List<Thread> workers) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    try {
      for (Future<?> future : futures) {
        future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException e) {
      var stacks = new StringBuilder("threads are stuck:");
      workers.forEach(
          thread ->
              stacks.append("\n").append(thread).append(Arrays.toString(thread.getStackTrace())));
      throw new AssertionError(stacks.toString(), e);
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until something is true, and fails if that takes too long. */
  public static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /** Whether a thread waits for something, such as a lock. */
  public static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }
}
