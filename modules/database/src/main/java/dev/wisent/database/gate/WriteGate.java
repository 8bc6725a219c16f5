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
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Admits writes and changes of the catalog unless {@code fsync} has locked them out. Locking waits
 * for the operations inside. Thread-safe: another thread than took the lock may release it.
 *
 * <p>An operation that is inside may enter again, also while the gate is being locked: locking
 * waits for the outermost {@link #leave}.
 *
 * <p>What is prepared ends before the lock is held, as in MongoDB, where it has locks of its own:
 * while the lock waits, {@link #enterToEnd} lets in what ends it.
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
  private static final ThreadLocal<GateVisits> VISITS = ThreadLocal.withInitial(GateVisits::new);

  /** How many threads are inside, by stripe; a thread enters and leaves by the same one. */
  private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * STRIDE);

  private final ReentrantLock state = new ReentrantLock();
  private final Condition opened = state.newCondition();
  private final Condition emptied = state.newCondition();
  private volatile int locks; // written under state

  /** Those of the locks that are held; the others wait for what is inside or prepared. */
  private volatile int heldLocks; // written under state

  private volatile BooleanSupplier hasPrepared = () -> false;

  /** Threads that wait until the gate is empty. */
  private final AtomicInteger emptying = new AtomicInteger();

  /** The operations inside, by thread; null where the gate is never closed. */
  private final Map<Thread, OperationContext> operations;

  private final Supplier<CommandException> refusal;
  private volatile boolean open;
  private volatile long closings; // written under state

  private WriteGate(boolean replicated, Supplier<CommandException> refusal) {
    this.operations = replicated ? new ConcurrentHashMap<>() : null;
    this.open = !replicated;
    this.refusal = refusal;
  }

  /** For a standalone node, which is always its own leader. */
  public static WriteGate alwaysOpen() {
    return new WriteGate(false, null);
  }

  /** For a member of a replica set that is not the leader yet: writers are told the refusal. */
  public static WriteGate closed(Supplier<CommandException> refusal) {
    return new WriteGate(true, refusal);
  }

  /** Says whether transactions are prepared here, whose end locking waits for. */
  public void prepared(BooleanSupplier check) {
    hasPrepared = check;
  }

  /** To be followed by {@link #leave} on the same thread. */
  public void enter(OperationContext operation) {
    enter(operation, false);
  }

  /** The same for what ends a prepared transaction, or decides how it ends. */
  public void enterToEnd(OperationContext operation) {
    enter(operation, true);
  }

  private void enter(OperationContext operation, boolean ending) {
    GateVisits visits = VISITS.get();
    GateVisits.Visit visit = visits.find(this);
    if (visit != null) {
      visit.depth++;
      return;
    }
    if (Thread.interrupted()) {
      throw operation.threadInterrupted();
    }
    int stripe = stripe();
    while (true) {
      if (keepsOut(ending)) {
        awaitOpen(operation, ending);
      }
      inside.incrementAndGet(stripe);
      if (!keepsOut(ending)) {
        break;
      }
      stepOut(stripe);
    }
    visits.add(this, stripe);
    if (operations != null) {
      checkIn(operation);
    }
  }

  private boolean keepsOut(boolean ending) {
    return ending ? heldLocks > 0 : locks > 0;
  }

  private static int stripe() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return ((int) (mixed >>> 32) & (STRIPES - 1)) * STRIDE + STRIDE;
  }

  /** A closing thread sees the operation, or the operation sees that the gate is closed. */
  private void checkIn(OperationContext operation) {
    operations.put(Thread.currentThread(), operation);
    try {
      if (!operation.writes().mayBeIn(closings)) {
        operation.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      }
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
      throw refusal.get();
    }
  }

  public void leave() {
    GateVisits visits = VISITS.get();
    GateVisits.Visit visit = visits.find(this);
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
    GateVisits.Visit visit = VISITS.get().find(this);
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
      VISITS.get().add(this, stripe).depth = depth;
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
    return IntStream.rangeClosed(1, STRIPES).allMatch(stripe -> inside.get(stripe * STRIDE) == 0);
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

  private void awaitOpen(OperationContext operation, boolean ending) {
    operation.startLockWait();
    state.lock();
    try {
      while (keepsOut(ending)) {
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
   * Keeps new writes out and waits for those in progress and for the end of what is prepared, with
   * a time limit; returns how many locks there are now.
   */
  public int lock(OperationContext operation, long timeoutMillis) {
    count(1, 0);
    int held = 0;
    try {
      held = hold(operation, timeoutMillis);
    } finally {
      if (held == 0) {
        count(-1, 0);
      }
    }
    if (held == 0) {
      throw new CommandException(
          ErrorCode.LOCK_TIMEOUT,
          "Fsync lock timed out after " + timeoutMillis + " ms, waiting for writes to end");
    }
    return held;
  }

  private void count(int more, int moreHeld) {
    state.lock();
    try {
      int sum = locks + more;
      int sumHeld = heldLocks + moreHeld;
      locks = sum;
      heldLocks = sumHeld;
      opened.signalAll();
    } finally {
      state.unlock();
    }
  }

  /** Holds a lock as soon as nothing is inside or prepared; 0 if that took too long. */
  private int hold(OperationContext operation, long timeoutMillis) {
    long deadlineNanos =
        operation.clock().monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    state.lock();
    try {
      emptying.incrementAndGet();
      while (!tryHold()) {
        long leftNanos = deadlineNanos - operation.clock().monotonicNanos();
        if (leftNanos <= 0) {
          return 0;
        }
        operation.checkNow();
        emptied.awaitNanos(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS)));
      }
      return heldLocks;
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      emptying.decrementAndGet();
      state.unlock();
    }
  }

  /** What enters to end a prepared transaction sees the lock, or is seen inside. */
  private boolean tryHold() {
    if (!isQuiet()) {
      return false;
    }
    count(0, 1);
    if (isQuiet()) {
      return true;
    }
    count(0, -1);
    return false;
  }

  private boolean isQuiet() {
    return isEmpty() && !hasPrepared.getAsBoolean();
  }

  /** Removes one lock that is held; returns how many are left, or -1 if there was none. */
  public int unlock() {
    state.lock();
    try {
      if (heldLocks == 0) {
        return -1;
      }
      count(-1, -1);
      return heldLocks;
    } finally {
      state.unlock();
    }
  }

  public int lockCount() {
    return heldLocks;
  }
}
