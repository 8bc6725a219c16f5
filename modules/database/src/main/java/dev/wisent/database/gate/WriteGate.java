package dev.wisent.database.gate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Admits writes and changes of the catalog unless {@code fsync} has locked them out. Locking waits
 * for the operations inside. Thread-safe: another thread than took the lock may release it.
 *
 * <p>An operation that is inside may enter again, also while the gate is being locked: locking
 * waits for the outermost {@link #leave}.
 *
 * <p>On a member of a replica set the gate is open only on the leader. A write is evaluated and
 * committed inside, so that all of it belongs to one term: closing ends the operations inside, and
 * the gate opens again only when they have left.
 *
 * <p>Operations inside are counted in stripes, so that writers on different processors share no
 * cache line. A thread first counts itself and then looks for a lock; a locking thread first sets
 * the lock and then looks at the counts. One of the two sees the other.
 */
public final class WriteGate {
  private static final int CHECK_MILLIS = 100;
  private static final int STRIPES = 64;

  /** The distance of two counts: as far apart as processors fetch memory. */
  private static final int STRIDE = 16;

  /** Which gates the current thread is inside of. */
  private static final ThreadLocal<Visits> VISITS = ThreadLocal.withInitial(Visits::new);

  /** How many threads are inside, by stripe; a thread enters and leaves by the same one. */
  private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * STRIDE);

  private final ReentrantLock state = new ReentrantLock();
  private final Condition opened = state.newCondition();
  private final Condition emptied = state.newCondition();
  private volatile int locks; // written under state

  /** Threads that wait until the gate is empty. */
  private final AtomicInteger emptying = new AtomicInteger();

  /** The operations inside, by thread; null where the gate is never closed. */
  private final Map<Thread, OperationContext> operations;

  private volatile boolean open;
  private volatile long closings; // written under state

  private static final class Visits {
    /** Mostly the only one; null if there is none. */
    private Visit innermost;

    Visit find(WriteGate gate) {
      Visit visit = innermost;
      while (visit != null && visit.gate != gate) {
        visit = visit.outer;
      }
      return visit;
    }

    void remove(Visit ended) {
      if (innermost == ended) {
        innermost = ended.outer;
        return;
      }
      Visit inner = innermost;
      while (inner.outer != ended) {
        inner = inner.outer;
      }
      inner.outer = ended.outer;
    }
  }

  /** A thread inside of a gate. */
  private static final class Visit {
    private final WriteGate gate;
    private final int stripe;
    private Visit outer;
    private int depth = 1;

    Visit(WriteGate gate, int stripe, Visit outer) {
      this.gate = gate;
      this.stripe = stripe;
      this.outer = outer;
    }
  }

  private WriteGate(boolean replicated) {
    this.operations = replicated ? new ConcurrentHashMap<>() : null;
    this.open = !replicated;
  }

  /** For a standalone node, which is always its own leader. */
  public static WriteGate alwaysOpen() {
    return new WriteGate(false);
  }

  /** For a member of a replica set, which is not the leader yet. */
  public static WriteGate closed() {
    return new WriteGate(true);
  }

  /** To be followed by {@link #leave} on the same thread. */
  public void enter(OperationContext operation) {
    Visits visits = VISITS.get();
    Visit visit = visits.find(this);
    if (visit != null) {
      visit.depth++;
      return;
    }
    if (Thread.interrupted()) {
      throw operation.threadInterrupted();
    }
    int stripe = stripe();
    while (true) {
      if (locks > 0) {
        awaitOpen(operation);
      }
      inside.incrementAndGet(stripe);
      if (locks == 0) {
        break;
      }
      stepOut(stripe);
    }
    visits.innermost = new Visit(this, stripe, visits.innermost);
    if (operations != null) {
      checkIn(operation);
    }
  }

  private static int stripe() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return ((int) (mixed >>> 32) & (STRIPES - 1)) * STRIDE + STRIDE;
  }

  /** A closing thread sees the operation, or the operation sees that the gate is closed. */
  private void checkIn(OperationContext operation) {
    operations.put(Thread.currentThread(), operation);
    try {
      if (operation.isKilled()) {
        // What it has evaluated in an earlier term must not be written in this one.
        operation.checkNow();
      }
      checkOpen();
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
  }

  /** Whether this node accepts writes; {@code fsync} may lock them out all the same. */
  public boolean isOpen() {
    return open;
  }

  private void checkOpen() {
    if (!open) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
    }
  }

  public void leave() {
    Visits visits = VISITS.get();
    Visit visit = visits.find(this);
    if (visit == null) {
      throw new IllegalMonitorStateException("the thread is not inside of the gate");
    }
    if (--visit.depth > 0) {
      return;
    }
    visits.remove(visit);
    if (operations != null) {
      operations.remove(Thread.currentThread());
    }
    stepOut(visit.stripe);
  }

  /**
   * Runs a wait outside of the gate, also where the thread has entered it before. It is inside
   * again afterwards as often as it was.
   *
   * @throws CommandException if the gate was closed meanwhile: what the thread knows is of an
   *     earlier term
   */
  public void outside(OperationContext operation, Runnable wait) {
    Visit visit = VISITS.get().find(this);
    if (visit == null) {
      wait.run();
      return;
    }
    int depth = visit.depth;
    long before = closings;
    visit.depth = 1;
    leave();
    try {
      wait.run();
    } finally {
      comeBack(operation, depth, before);
    }
  }

  /** Where the thread may not come back it is inside all the same, to leave as often as others. */
  private void comeBack(OperationContext operation, int depth, long closingsBefore) {
    try {
      enter(operation);
    } catch (RuntimeException e) {
      int stripe = stripe();
      inside.incrementAndGet(stripe);
      Visits visits = VISITS.get();
      visits.innermost = new Visit(this, stripe, visits.innermost);
      visits.innermost.depth = depth;
      throw e;
    }
    VISITS.get().find(this).depth = depth;
    if (closings != closingsBefore) {
      operation.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      operation.checkNow();
    }
  }

  private void stepOut(int stripe) {
    long left = inside.decrementAndGet(stripe);
    if (left == 0 && emptying.get() > 0) {
      state.lock();
      try {
        emptied.signalAll();
      } finally {
        state.unlock();
      }
    }
  }

  /**
   * Whether no operation is inside. Only while none can come in: a count that was zero once stays
   * zero, except for a thread that is about to notice the lock.
   */
  private boolean isEmpty() {
    for (int stripe = STRIDE; stripe <= STRIPES * STRIDE; stripe += STRIDE) {
      if (inside.get(stripe) != 0) {
        return false;
      }
    }
    return true;
  }

  /** How often the gate was closed: what sees the same number twice was in one term meanwhile. */
  public long closings() {
    return closings;
  }

  /** Admits no more operations and ends those inside; does not wait for them. */
  public void close() {
    open = false;
    countClosing();
    operations
        .values()
        .forEach(operation -> operation.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    state.lock();
    try {
      opened.signalAll();
    } finally {
      state.unlock();
    }
  }

  private void countClosing() {
    state.lock();
    try {
      long before = closings;
      closings = before + 1;
    } finally {
      state.unlock();
    }
  }

  /** Waits until all operations have left a closed gate. */
  public void awaitEmpty() {
    state.lock();
    try {
      emptying.incrementAndGet();
      while (!isEmpty()) {
        emptied.awaitUninterruptibly();
      }
    } finally {
      emptying.decrementAndGet();
      state.unlock();
    }
  }

  /** Admits writes again; the gate is empty. */
  public void open() {
    open = true;
  }

  private void awaitOpen(OperationContext operation) {
    operation.startLockWait();
    state.lock();
    try {
      while (locks > 0) {
        operation.checkNow();
        checkOpen();
        opened.awaitNanos(TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      state.unlock();
      operation.endLockWait();
    }
  }

  /**
   * Keeps new writes out and waits for those in progress, with a time limit; returns how many locks
   * there are now.
   */
  public int lock(OperationContext operation, long timeoutMillis) {
    int count;
    state.lock();
    try {
      count = locks + 1;
      locks = count;
    } finally {
      state.unlock();
    }
    boolean empty = false;
    try {
      empty = awaitEmpty(operation, timeoutMillis);
    } finally {
      if (!empty) {
        unlock();
      }
    }
    if (!empty) {
      throw new CommandException(
          ErrorCode.LOCK_TIMEOUT,
          "Fsync lock timed out after " + timeoutMillis + " ms, waiting for writes to end");
    }
    return count;
  }

  /** Waits until no operation is inside; false if that took too long. */
  private boolean awaitEmpty(OperationContext operation, long timeoutMillis) {
    long deadlineNanos =
        operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    state.lock();
    try {
      emptying.incrementAndGet();
      while (!isEmpty()) {
        long leftNanos = deadlineNanos - operation.clock().monotonicNanos();
        if (leftNanos <= 0) {
          return false;
        }
        operation.checkNow();
        emptied.awaitNanos(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS)));
      }
      return true;
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      emptying.decrementAndGet();
      state.unlock();
    }
  }

  /** Removes one lock; returns how many are left, or -1 if there was none. */
  public int unlock() {
    state.lock();
    try {
      if (locks == 0) {
        return -1;
      }
      int left = locks - 1;
      locks = left;
      opened.signalAll();
      return left;
    } finally {
      state.unlock();
    }
  }

  public int lockCount() {
    return locks;
  }
}
