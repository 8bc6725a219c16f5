package dev.wisent.base.loop;

import dev.wisent.base.Clock;
import dev.wisent.base.log.Log;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A thread that takes one turn after the other until it is stopped. A turn that throws is logged
 * and counted, and the next one begins after a pause that doubles with each failure in a row. An
 * {@link Error} ends the loop and is handed to the node, which stops.
 */
public final class BackgroundLoop {
  static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** A loop that fails every other turn does not fill the log. */
  private static final long LOG_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int FAILED_LOG_ID = 9_000_400;

  /** One turn. It may wait for its work; waits end when the thread is interrupted. */
  public interface Turn {
    void run() throws Exception;
  }

  private final String name;
  private final Turn turn;
  private final long periodNanos;
  private final Clock clock;
  private final Log log;
  private final Consumer<Error> brokenInvariant;
  private final Thread thread;
  private final AtomicReference<RuntimeException> injected = new AtomicReference<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();

  private boolean woken; // guarded by the lock
  private volatile boolean stopped;
  private volatile boolean started;

  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile String lastError;

  /** Of the thread. */
  private long pauseNanos;

  /** Of the thread. */
  private long lastLogNanos;

  /**
   * @param periodNanos how long to wait before each turn; 0 where turns wait by themselves
   */
  BackgroundLoop(
      String name,
      long periodNanos,
      Turn turn,
      Clock clock,
      Log log,
      Consumer<Error> brokenInvariant) {
    this.name = name;
    this.periodNanos = periodNanos;
    this.turn = turn;
    this.clock = clock;
    this.log = log;
    this.brokenInvariant = brokenInvariant;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  public String name() {
    return name;
  }

  public void start() {
    started = true;
    thread.start();
  }

  /** No further turn begins. A turn under way is not disturbed. */
  public void stop() {
    stopped = true;
    wake();
  }

  /** A loop that waits for its period to pass takes its next turn at once. */
  public void wake() {
    lock.lock();
    try {
      woken = true;
      wake.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** No further turn begins, and a turn under way is interrupted. */
  public void interrupt() {
    stop();
    thread.interrupt();
  }

  /** Waits until the last turn is over, if the loop was started. */
  public void join() {
    boolean interrupted = false;
    while (started) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean isStopped() {
    return stopped;
  }

  public LoopCounts counts() {
    return new LoopCounts(
        name, turns.get(), failures.get(), lastError, started && thread.isAlive());
  }

  /** Has the next turn throw; a loop with a period takes it at once. */
  void failNextTurn(RuntimeException failure) {
    injected.set(failure);
    wake();
  }

  private void run() {
    lastLogNanos = clock.monotonicNanos() - LOG_PERIOD_NANOS;
    try {
      while (!stopped) {
        takeTurn();
      }
    } catch (Error e) {
      failed(e);
      brokenInvariant.accept(e);
    }
  }

  private void takeTurn() {
    try {
      awaitPeriod();
      if (stopped) {
        return;
      }
      RuntimeException failure = injected.getAndSet(null);
      if (failure != null) {
        throw failure;
      }
      turn.run();
      turns.incrementAndGet();
      pauseNanos = 0;
    } catch (Exception e) {
      if (!stopped) {
        failed(e);
        logFailure(e);
        backOff();
      }
    }
  }

  private void failed(Throwable e) {
    lastError = e.toString();
    failures.incrementAndGet();
  }

  private void logFailure(Exception e) {
    long now = clock.monotonicNanos();
    if (now - lastLogNanos >= LOG_PERIOD_NANOS) {
      lastLogNanos = now;
      log.error(
          FAILED_LOG_ID,
          "A background loop failed and goes on",
          e,
          "loop",
          name,
          "failures",
          failures.get());
    }
  }

  private void backOff() {
    pauseNanos = Math.min(PAUSE_NANOS_MAX, Math.max(PAUSE_NANOS_MIN, 2 * pauseNanos));
    lock.lock();
    try {
      long left = pauseNanos;
      while (left > 0 && !stopped) {
        left = wake.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // A stop interrupts, and is seen by the caller; nothing else has a reason to.
    } finally {
      lock.unlock();
    }
  }

  private void awaitPeriod() throws InterruptedException {
    if (periodNanos <= 0) {
      return;
    }
    lock.lock();
    try {
      long left = periodNanos;
      while (left > 0 && !woken) {
        left = wake.awaitNanos(left);
      }
      woken = false;
    } finally {
      lock.unlock();
    }
  }
}
