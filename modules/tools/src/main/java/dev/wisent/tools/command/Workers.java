package dev.wisent.tools.command;

import dev.wisent.base.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tasks that run beside each other, on a number of threads. The first that fails ends the others
 * where they look at {@link #failed()}, and is thrown at the end. Thread-safe.
 */
public final class Workers {
  /** A piece of work. */
  @FunctionalInterface
  public interface Task {
    void run() throws ToolException;
  }

  /** How soon a wait sees the user's wish to end. */
  private static final long LOOK_MILLIS = 100;

  private final Deque<Task> waiting = new ArrayDeque<>(); // guarded by this
  private final List<Throwable> failures = new ArrayList<>(); // guarded by this
  private final CountDownLatch running;

  private Workers(List<? extends Task> tasks, int threads) {
    waiting.addAll(tasks);
    running = new CountDownLatch(threads);
  }

  /** Runs tasks in their order, so many at a time, and waits for them. */
  public static void run(Scheduler scheduler, String name, int threads, List<? extends Task> tasks)
      throws ToolException {
    start(scheduler, name, Math.min(threads, tasks.size()), tasks).join();
  }

  /** Starts tasks; to be followed by {@link #join()}. */
  public static Workers start(
      Scheduler scheduler, String name, int threads, List<? extends Task> tasks) {
    var workers = new Workers(tasks, threads);
    for (int i = 0; i < threads; i++) {
      scheduler.run(name + "-" + i, workers::work);
    }
    return workers;
  }

  private void work() {
    try {
      for (Task task = next(); task != null; task = next()) {
        task.run();
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      running.countDown();
    }
  }

  private synchronized Task next() {
    return failures.isEmpty() ? waiting.poll() : null;
  }

  private synchronized void fail(Throwable e) {
    failures.add(e);
  }

  public synchronized boolean failed() {
    return !failures.isEmpty();
  }

  /** Waits for the end of all tasks, and throws what the first one that failed has thrown. */
  public void join() throws ToolException {
    try {
      running.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
    throwFirst();
  }

  /** The same, or ends at the user's wish: tasks that have begun go on then, and may be late. */
  public void join(Interruption interruption) throws ToolException {
    try {
      while (!running.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        interruption.check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
    throwFirst();
  }

  private synchronized void throwFirst() throws ToolException {
    if (failures.isEmpty()) {
      return;
    }
    Throwable first = failures.getFirst();
    failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
    switch (first) {
      case ToolException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(first);
    }
  }
}
