package dev.wisent.server.ttl;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.operation.Expiry;
import dev.wisent.operation.Expiry.Lifetime;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.server.operation.OperationRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Goes over all indexes that say how long documents live, again and again, and deletes what has
 * outlived its time. What goes wrong with one of them is logged and tried again in the next pass.
 */
public final class TtlMonitor implements AutoCloseable {
  private static final int SLEEP_SECONDS_DEFAULT = 60;
  private static final int FAILED_LOG_ID = 5400703;
  private static final int DELETED_LOG_ID = 5479200;

  private final NodeStore store;
  private final OperationRegistry operations;
  private final Clock clock;
  private final Log log;
  private final LongAdder passes = new LongAdder();
  private final LongAdder deletedDocuments = new LongAdder();
  private final BackgroundLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int sleepSeconds = SLEEP_SECONDS_DEFAULT; // guarded by lock
  private volatile OperationContext current;
  private volatile boolean enabled = true;
  private volatile boolean closed;

  public TtlMonitor(
      NodeStore store, OperationRegistry operations, Clock clock, BackgroundLoops loops, Log log) {
    this.store = store;
    this.operations = operations;
    this.clock = clock;
    this.log = log;
    this.loop = loops.loop("TTLMonitor", this::turn);
  }

  public void start() {
    loop.start();
  }

  private void turn() throws InterruptedException {
    awaitNextPass();
    if (enabled && !closed) {
      pass();
    }
  }

  private void awaitNextPass() throws InterruptedException {
    long start = clock.monotonicNanos();
    lock.lock();
    try {
      long left;
      while (!closed
          && (left = start + TimeUnit.SECONDS.toNanos(sleepSeconds) - clock.monotonicNanos()) > 0) {
        changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Looks at every index once. What one of them throws is thrown when all had their turn. */
  void pass() {
    RuntimeException failure = null;
    for (Expiry expiry : store.expiries()) {
      for (Lifetime lifetime : expiry.lifetimes()) {
        try {
          delete(expiry, lifetime);
        } catch (RuntimeException e) {
          failure = e;
        }
      }
    }
    passes.increment();
    if (failure != null) {
      throw failure;
    }
  }

  private void delete(Expiry expiry, Lifetime lifetime) {
    OperationContext context = OperationContext.internal(clock);
    current = context;
    if (closed) {
      return;
    }
    BackgroundOperation operation =
        operations.startInBackground(loop.name(), "remove", lifetime.namespace().full(), context);
    try {
      long deleted = expiry.deleteExpired(lifetime, context);
      deletedDocuments.add(deleted);
      if (deleted > 0) {
        log.debug(
            DELETED_LOG_ID,
            "Deleted expired documents using index",
            "namespace",
            lifetime.namespace().full(),
            "index",
            lifetime.index(),
            "numDeleted",
            deleted);
      }
    } catch (RuntimeException e) {
      if (!(e instanceof CommandException) && store.faultOf(e) == null) {
        throw e;
      }
      if (closed) {
        return;
      }
      log.warn(
          FAILED_LOG_ID,
          "Error running TTL job on collection",
          "namespace",
          lifetime.namespace().full(),
          "index",
          lifetime.index(),
          "error",
          e.getMessage());
    } finally {
      operations.end(operation);
    }
  }

  public boolean isEnabled() {
    return enabled;
  }

  public void enabled(boolean on) {
    enabled = on;
  }

  public int sleepSeconds() {
    lock.lock();
    try {
      return sleepSeconds;
    } finally {
      lock.unlock();
    }
  }

  /** The wait that is going on counts already. */
  public void sleepSeconds(int seconds) {
    lock.lock();
    try {
      sleepSeconds = seconds;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public long passes() {
    return passes.sum();
  }

  public long deletedDocuments() {
    return deletedDocuments.sum();
  }

  /** Ends a pass that is going on, and waits for that. */
  @Override
  public void close() {
    closed = true;
    OperationContext running = current;
    if (running != null) {
      running.kill(ErrorCode.INTERRUPTED_AT_SHUTDOWN);
    }
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    loop.stop();
    loop.join();
  }
}
