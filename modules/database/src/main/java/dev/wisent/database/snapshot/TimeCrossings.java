package dev.wisent.database.snapshot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that has to see the store as it is at a cluster time: when everything up to it is applied,
 * and nothing later. The thread that applies the log does it before the first later entry, so that
 * it costs nothing where no work waits. Thread-safe.
 */
public final class TimeCrossings {
  private final List<Crossing> waiting = new CopyOnWriteArrayList<>();

  /** A piece of work, and its end. */
  public final class Crossing implements AutoCloseable {
    private final long timestamp;
    private final Runnable work;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile RuntimeException failure;

    private Crossing(long timestamp, Runnable work) {
      this.timestamp = timestamp;
      this.work = work;
    }

    private void run() {
      try {
        work.run();
      } catch (RuntimeException e) {
        // Of the work alone: the log is applied all the same.
        failure = e;
      } finally {
        done.countDown();
      }
    }

    /**
     * Waits for the end of the work; false if the time is over. Throws what the work has thrown.
     */
    public boolean await(long nanos) throws InterruptedException {
      boolean ended = done.await(nanos, TimeUnit.NANOSECONDS);
      if (ended && failure != null) {
        throw failure;
      }
      return ended;
    }

    /**
     * Whether something later is applied and the work was not done before it. Then the next entry
     * may never come: a member that is asked to pass the time has done so already.
     *
     * @param newest what is applied; an entry that was about to be applied at {@link #register} is
     *     in no earlier answer
     */
    public boolean isMissed(long newest) {
      return Long.compareUnsigned(newest, timestamp) > 0 && done.getCount() > 0;
    }

    /** The work is not to be begun any more. Waits for it if it has begun. */
    @Override
    public void close() {
      boolean interrupted = false;
      while (!waiting.remove(this) && done.getCount() > 0) {
        try {
          done.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Has work done at a time. If something later is applied already, the work is done before the
   * next entry, and sees a state that is too new: it has to look.
   */
  public Crossing register(long timestamp, Runnable work) {
    var crossing = new Crossing(timestamp, work);
    waiting.add(crossing);
    return crossing;
  }

  /** An entry of a time is applied next. For the thread that applies the log. */
  public void reaching(long timestamp) {
    for (Crossing crossing : waiting) {
      if (Long.compareUnsigned(crossing.timestamp, timestamp) < 0 && waiting.remove(crossing)) {
        crossing.run();
      }
    }
  }
}
