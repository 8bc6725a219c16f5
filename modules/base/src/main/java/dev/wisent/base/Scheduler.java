package dev.wisent.base;

import java.time.Duration;

/**
 * Runs tasks beside their caller: at once, after a delay, or again and again. Together with {@link
 * Clock} and {@link RandomSource} it is all that a node knows of the machine's time, threads and
 * chance, so that a simulation can supply its own.
 *
 * <p>An exception of a task is logged. An {@link Error} is a broken invariant and stops the node.
 */
public interface Scheduler {
  /** What was asked to run. */
  interface Task {
    /** No further run begins. A run under way is not disturbed. */
    void cancel();
  }

  /** Has a task run as soon as possible. */
  default Task run(String name, Runnable task) {
    return after(Duration.ZERO, name, task);
  }

  /** Has a task run once, when the delay has passed. */
  Task after(Duration delay, String name, Runnable task);

  /**
   * Has a task run again and again, first when one period has passed. The next period begins when a
   * run has ended.
   */
  Task every(Duration period, String name, Runnable task);
}
