package dev.wisent.server.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.query.script.ScriptGuard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A thread that looks at the running scripts every few milliseconds and ends those whose operation
 * must stop, and the greedy ones when memory runs short. It starts with the first script, and waits
 * while there are none; a query that calls its function for one document after the other does not
 * wake it each time.
 */
public final class ScriptWatch implements ScriptGuard, AutoCloseable {
  private static final int LOOK_MILLIS = 5;
  private static final int LOOKS_BEFORE_REST = 1000;

  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final ScriptMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();

  /** Whether the thread looks around; written under the lock. */
  private volatile boolean awake;

  private final BackgroundLoop loop;

  /** Guarded by the lock. */
  private boolean started;

  /** Of the loop. */
  private int idleLooks;

  public ScriptWatch(ScriptMemory memory, BackgroundLoops loops) {
    this.memory = memory;
    this.loop = loops.loop("script-watch", this::turn);
  }

  @Override
  public Watch watch(Supplier<CommandException> stopReason, Runnable stop) {
    var call = new Call(stopReason, stop);
    calls.add(call);
    if (!awake) {
      wake();
    }
    return call;
  }

  private void wake() {
    lock.lock();
    try {
      awake = true;
      if (!started && !loop.isStopped()) {
        started = true;
        loop.start();
      }
      wanted.signal();
    } finally {
      lock.unlock();
    }
  }

  private void turn() throws InterruptedException {
    lock.lock();
    try {
      if (idleLooks < LOOKS_BEFORE_REST) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        while (nanos > 0 && !loop.isStopped()) {
          nanos = wanted.awaitNanos(nanos);
        }
      } else {
        rest();
        idleLooks = 0;
      }
    } finally {
      lock.unlock();
    }
    idleLooks = calls.isEmpty() ? idleLooks + 1 : 0;
    look();
  }

  /** What one call throws is thrown when all were looked at. */
  private void look() {
    RuntimeException failure = null;
    for (Call call : calls) {
      try {
        call.look(memory);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void rest() throws InterruptedException {
    awake = false;
    // A call that came before it could see that the watch sleeps.
    while (calls.isEmpty() && !awake && !loop.isStopped()) {
      wanted.await();
    }
    awake = true;
  }

  @Override
  public void close() {
    loop.stop();
    lock.lock();
    try {
      wanted.signal();
    } finally {
      lock.unlock();
    }
  }

  /** One call of a script. Its monitor guards the state. */
  private final class Call implements Watch {
    private final long threadId = Thread.currentThread().threadId();
    private final Supplier<CommandException> stopReason;
    private final Runnable stop;
    private long allocatedBefore = -1;
    private boolean over;
    private CommandException stopped;

    Call(Supplier<CommandException> stopReason, Runnable stop) {
      this.stopReason = stopReason;
      this.stop = stop;
    }

    /** Stops the script where it must, and never after it is over. */
    synchronized void look(ScriptMemory memory) {
      if (over || stopped != null) {
        return;
      }
      CommandException reason = stopReason.get();
      if (reason == null) {
        long allocated = memory.allocatedBy(threadId);
        if (allocatedBefore < 0) {
          allocatedBefore = allocated;
        }
        if (memory.isTooMuch(allocated - allocatedBefore)) {
          reason = new CommandException(ErrorCode.JS_INTERPRETER_FAILURE, "Out of memory");
        }
      }
      if (reason != null) {
        stopped = reason;
        stop.run();
      }
    }

    @Override
    public synchronized CommandException stopped() {
      return stopped;
    }

    @Override
    public void close() {
      calls.remove(this);
      synchronized (this) {
        over = true;
      }
    }
  }
}
