package dev.wisent.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition with a deadline, polling at a short interval. */
public final class Eventually {

  private static final long POLL_NANOS = Duration.ofMillis(5).toNanos();

  private Eventually() {}

  /** Returns as soon as {@code condition} holds; fails with {@code what} at the deadline. */
  public static void holds(String what, Duration timeout, Callable<Boolean> condition) {
    yields(what, timeout, () -> condition.call() ? Optional.of(true) : Optional.empty());
  }

  /** Returns the first value that {@code probe} finds; fails with {@code what} at the deadline. */
  public static <T> T yields(String what, Duration timeout, Callable<Optional<T>> probe) {
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      Optional<T> found = call(what, probe);
      if (found.isPresent()) {
        return found.get();
      }
      if (deadline.expired()) {
        throw new AssertionError("not within " + timeout.toMillis() + " ms: " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted while waiting: " + what);
      }
    }
  }

  /** Returns as soon as {@code assertion} does not fail; rethrows its failure at the deadline. */
  public static void passes(Duration timeout, Runnable assertion) {
    Deadline deadline = Deadline.after(timeout);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError failure) {
        if (deadline.expired()) {
          throw failure;
        }
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static <T> Optional<T> call(String what, Callable<Optional<T>> probe) {
    try {
      return probe.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("probe failed: " + what, e);
    }
  }
}
