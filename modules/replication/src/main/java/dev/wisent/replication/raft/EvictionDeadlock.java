package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.ratis.util.AwaitToRun;

/**
 * Ends a deadlock in the close of Ratis's log (3.3.0). The closing thread holds the write lock of
 * the log while it joins the thread that evicts segments from the cache, and that thread may be
 * waiting for the lock. The join ends when it is interrupted: the lock is released, the eviction
 * finds nothing to do, and the close goes on. Ratis also closes logs on threads of its own, so
 * threads are found by what they execute.
 *
 * <p>What the closing thread does next does not wait for the thread that writes segments, as the
 * interrupt is kept. Nothing is appended to a log whose write lock is held, so that thread has long
 * been idle.
 */
final class EvictionDeadlock implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** A join that is not stuck takes microseconds. */
  private static final int LOOKS = 4;

  private final Scheduler scheduler;
  private volatile boolean closed;

  /** How often in a row a thread was seen in the join. One look follows the other. */
  private volatile Map<Thread, Integer> seen = Map.of();

  private EvictionDeadlock(Scheduler scheduler) {
    this.scheduler = scheduler;
    next();
  }

  /** Until it is closed, deadlocks of this kind end within a few seconds. */
  static EvictionDeadlock watch(Scheduler scheduler) {
    return new EvictionDeadlock(scheduler);
  }

  private void next() {
    scheduler.after(PERIOD, "eviction-deadlock", this::look);
  }

  private void look() {
    if (closed) {
      return;
    }
    var now = new HashMap<Thread, Integer>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (isJoin(stack)) {
                now.put(thread, seen.getOrDefault(thread, 0) + 1);
              }
            });
    now.forEach(
        (thread, looks) -> {
          if (looks >= LOOKS) {
            thread.interrupt();
          }
        });
    seen = now;
    next();
  }

  private static boolean isJoin(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().equals(AwaitToRun.class.getName())) {
        return frame.getMethodName().equals("close");
      }
    }
    return false;
  }

  @Override
  public void close() {
    closed = true;
  }
}
