package dev.wisent.base.simulation;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A scheduler without threads: the caller of its {@code run} methods runs one task after the other,
 * in the order of their times. The clock moves only from task to task. Tasks of the same time run
 * in an order that the random source decides, so that each seed is another interleaving, and the
 * same seed is the same one.
 *
 * <p>An exception of a task reaches the caller.
 */
public final class SimulatedScheduler implements Scheduler, Clock {
  private final long startMillis;
  private final RandomSource random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::nanos)
              .thenComparingLong(Event::order)
              .thenComparingLong(Event::number));

  private long nowNanos;
  private long numbers;

  /**
   * @param startMillis the time of day at the beginning
   */
  public SimulatedScheduler(long startMillis, RandomSource random) {
    this.startMillis = startMillis;
    this.random = random;
  }

  @Override
  public long wallMillis() {
    return startMillis + nowNanos / 1_000_000;
  }

  @Override
  public long monotonicNanos() {
    return nowNanos;
  }

  @Override
  public Task after(Duration delay, String name, Runnable task) {
    return add(delay, new SimulatedTask(name, task, null));
  }

  @Override
  public Task every(Duration period, String name, Runnable task) {
    return add(period, new SimulatedTask(name, task, period));
  }

  private Task add(Duration delay, SimulatedTask task) {
    events.add(new Event(nowNanos + delay.toNanos(), random.nextLong(), numbers++, task));
    return task;
  }

  /** Runs the next task, at its time; false if none is left. */
  public boolean runNext() {
    Event next = nextEvent();
    if (next == null) {
      return false;
    }
    events.remove();
    nowNanos = next.nanos;
    try {
      next.task.task.run();
    } finally {
      if (next.task.period != null && !next.task.cancelled) {
        add(next.task.period, next.task);
      }
    }
    return true;
  }

  /** Runs every task of this time, and moves the clock to its end. */
  public void runFor(Duration time) {
    long end = nowNanos + time.toNanos();
    for (Event next = nextEvent(); next != null && next.nanos <= end; next = nextEvent()) {
      runNext();
    }
    nowNanos = end;
  }

  /**
   * Runs tasks until a condition holds.
   *
   * @throws IllegalStateException if it does not hold within this time, or no task is left
   */
  public void runUntil(BooleanSupplier condition, Duration limit) {
    long end = nowNanos + limit.toNanos();
    while (!condition.getAsBoolean()) {
      Event next = nextEvent();
      if (next == null || next.nanos > end) {
        throw new IllegalStateException(
            next == null ? "no task is left" : "not within " + limit + "; next: " + next.task.name);
      }
      runNext();
    }
  }

  /** The next task that was not cancelled, which stays in the queue; null if there is none. */
  private Event nextEvent() {
    while (!events.isEmpty() && events.element().task.cancelled) {
      events.remove();
    }
    return events.peek();
  }

  private record Event(long nanos, long order, long number, SimulatedTask task) {}

  private static final class SimulatedTask implements Task {
    private final String name;
    private final Runnable task;
    private final Duration period; // null for a single run
    private boolean cancelled;

    private SimulatedTask(String name, Runnable task, Duration period) {
      this.name = name;
      this.task = task;
      this.period = period;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
