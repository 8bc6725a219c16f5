package dev.wisent.cluster.coordinator;

import dev.wisent.operation.OperationContext;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Follows whether this member is the primary of its set. What a new primary has to do first is done
 * once in each term, before it runs the first command. Thread-safe.
 */
public final class PrimaryTerm {
  private static final long NO_TERM = -1;
  private static final long LOOK_MILLIS = 500;

  private final ReplicaSet set;
  private final Work work;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile long ready = NO_TERM;

  /** What depends on leadership. */
  public interface Work {
    /** Called before the commands of a term. */
    void begin();

    void end();
  }

  public PrimaryTerm(ReplicaSet set, Work work) {
    this.set = set;
    this.work = work;
  }

  /** One look, and the wait for the next. */
  public void turn() throws InterruptedException {
    long seen = set.progress();
    long term = set.state() == MemberState.PRIMARY ? set.term() : NO_TERM;
    if (ready != term) {
      if (ready != NO_TERM) {
        ready = NO_TERM;
        work.end();
      }
      if (term != NO_TERM) {
        work.begin();
        publish(term);
      }
    }
    set.awaitProgress(seen, LOOK_MILLIS);
  }

  private void publish(long term) {
    lock.lock();
    try {
      ready = term;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when the primary has begun its work; fails with NotWritablePrimary on other members.
   */
  public void await(OperationContext operation) {
    operation.await(
        nanos -> {
          set.checkWritable();
          lock.lock();
          try {
            long left = nanos;
            while (ready != set.term() && left > 0) {
              left = changed.awaitNanos(left);
            }
            return ready == set.term();
          } finally {
            lock.unlock();
          }
        });
  }

  /** Whether this member is primary and has begun its work. */
  public boolean isReady() {
    return ready != NO_TERM;
  }

  /** Ends the work of the current term, if there is one. */
  public void close() {
    if (ready != NO_TERM) {
      ready = NO_TERM;
      work.end();
    }
  }
}
