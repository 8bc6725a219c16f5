package dev.wisent.database;

import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.Mutation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A replicated log of one node whose mutations are applied, in their order, when the test says so.
 */
final class SlowLog implements CommitLog {
  private final CommitLog below;
  private final ArrayDeque<Slow> waiting = new ArrayDeque<>(); // guarded by this
  private boolean held; // guarded by this
  private int waiters; // guarded by this

  SlowLog(CommitLog below) {
    this.below = below;
  }

  private final class Slow implements CommitFuture {
    private final Mutation mutation;
    private boolean done; // guarded by the log
    private LeadershipException failure; // guarded by the log

    private Slow(Mutation mutation) {
      this.mutation = mutation;
    }

    @Override
    public void awaitApplied() {
      awaitApplied(Long.MAX_VALUE);
    }

    @Override
    public boolean awaitApplied(long timeoutNanos) {
      long end = System.nanoTime() + timeoutNanos;
      synchronized (SlowLog.this) {
        waiters++;
        try {
          while (!done) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (timeoutNanos != Long.MAX_VALUE && leftMillis <= 0) {
              return false;
            }
            SlowLog.this.wait(timeoutNanos == Long.MAX_VALUE ? 0 : leftMillis);
          }
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        } finally {
          waiters--;
        }
        if (failure != null) {
          throw failure;
        }
        return true;
      }
    }

    @Override
    public void awaitDurable() {
      awaitApplied();
    }

    @Override
    public long position() {
      return 0;
    }
  }

  @Override
  public boolean isReplicated() {
    return true;
  }

  @Override
  public synchronized CommitFuture submit(Mutation mutation) {
    var slow = new Slow(mutation);
    waiting.add(slow);
    if (!held) {
      apply(waiting.size());
    }
    return slow;
  }

  /** From now on mutations wait. */
  synchronized void hold() {
    held = true;
  }

  /** From now on they do not. */
  synchronized void release() {
    held = false;
    apply(waiting.size());
  }

  /** Applies the first of those that wait. */
  synchronized void apply(int count) {
    for (int i = 0; i < count && !waiting.isEmpty(); i++) {
      Slow next = waiting.remove();
      below.submit(next.mutation).awaitApplied();
      next.done = true;
    }
    notifyAll();
  }

  /** Nothing that waits will ever be applied. */
  synchronized void lose() {
    List<Slow> lost = new ArrayList<>(waiting);
    waiting.clear();
    for (Slow each : lost) {
      each.failure = new LeadershipException(Kind.LEADERSHIP_LOST, "leadership is lost");
      each.done = true;
    }
    notifyAll();
  }

  /** How many mutations are not applied. */
  synchronized int submitted() {
    return waiting.size();
  }

  /** How many threads wait for one. */
  synchronized int waiters() {
    return waiters;
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}
}
