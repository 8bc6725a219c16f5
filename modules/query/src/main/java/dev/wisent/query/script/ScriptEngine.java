package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.graalvm.polyglot.Engine;

/**
 * GraalJS: one engine, which keeps compiled code, and a few contexts that calls take turns with.
 * Contexts are locked down after their start but for new global variables. A query finds those that
 * it has left itself where it gets the same context again, and nothing of other queries.
 */
public final class ScriptEngine implements AutoCloseable {
  /** More functions at a time wait; each may hold memory. */
  private static final int CONTEXTS_MAX = 8;

  private static final int WAIT_MILLIS = 20;

  private final ScriptGuard guard;
  private final String version;
  private final Semaphore permits = new Semaphore(CONTEXTS_MAX);
  private final AtomicInteger contexts = new AtomicInteger();
  private final ConcurrentLinkedDeque<ScriptContext> idle = new ConcurrentLinkedDeque<>();
  private final Object lock = new Object();

  /** Guarded by {@link #lock}; null before the first use and after the close. */
  private Engine engine;

  private boolean closed;

  /**
   * @param version what functions are told that the server is
   */
  public ScriptEngine(ScriptGuard guard, String version) {
    this.guard = guard;
    this.version = version;
  }

  /** Compiles a function of a query. */
  public Script compile(String code, ScriptSession session) {
    FunctionSource source = use(session, context -> context.parse(code));
    return new CompiledScript(this, source, session);
  }

  /** Runs something in a context, under watch. */
  <T> T use(ScriptSession session, ScriptTask<T> task) {
    List<RawDocument> stored = session.stored();
    ScriptContext context = acquire(session);
    CommandException stopped;
    RuntimeException failure = null;
    T result = null;
    boolean usable = false;
    ScriptGuard.Watch watch = guard.watch(session.stopReason(), context::cancel);
    try {
      context.enter(session, stored);
      result = context.run(task);
      usable = true;
    } catch (ScriptFailure e) {
      failure = e.error();
      usable = e.contextIsUsable();
    } finally {
      watch.close();
      stopped = watch.stopped();
      release(context, usable && stopped == null);
    }
    if (stopped != null) {
      throw stopped;
    }
    if (failure != null) {
      throw failure;
    }
    return result;
  }

  private ScriptContext acquire(ScriptSession session) {
    try {
      while (!permits.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        CommandException reason = session.stopReason().get();
        if (reason != null) {
          throw reason;
        }
      }
    } catch (InterruptedException e) {
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
    try {
      ScriptContext context = takeIdle(session);
      return context == null ? newContext() : context;
    } catch (RuntimeException | Error e) {
      permits.release();
      throw e;
    }
  }

  /**
   * The context that the query has used before, or else one whose query is gone. While there may be
   * more contexts, those of other queries are left alone; then the one that was used least recently
   * changes hands.
   */
  private ScriptContext takeIdle(ScriptSession session) {
    ScriptContext own = takeIdleOf(session);
    if (own != null) {
      return own;
    }
    for (ScriptContext other = takeIdleOf(null); other != null; other = takeIdleOf(null)) {
      if (isClean(other)) {
        return other;
      }
    }
    while (contexts.get() >= CONTEXTS_MAX) {
      ScriptContext oldest = idle.pollLast();
      if (oldest == null || isClean(oldest)) {
        return oldest;
      }
    }
    return null;
  }

  private ScriptContext takeIdleOf(ScriptSession session) {
    for (ScriptContext context : idle) {
      if (context.isOf(session) && idle.remove(context)) {
        return context;
      }
    }
    return null;
  }

  /** A context that keeps what functions have left is given up. */
  private boolean isClean(ScriptContext context) {
    if (context.reset()) {
      return true;
    }
    discard(context);
    return false;
  }

  private void discard(ScriptContext context) {
    contexts.decrementAndGet();
    context.cancel();
  }

  private void release(ScriptContext context, boolean usable) {
    if (usable) {
      idle.addFirst(context);
    } else {
      discard(context);
    }
    permits.release();
  }

  private ScriptContext newContext() {
    var context = new ScriptContext(engine(), version);
    contexts.incrementAndGet();
    return context;
  }

  private Engine engine() {
    synchronized (lock) {
      if (closed) {
        throw new CommandException(ErrorCode.INTERRUPTED_AT_SHUTDOWN, "interrupted at shutdown");
      }
      if (engine == null) {
        engine = ScriptContext.newEngine();
      }
      return engine;
    }
  }

  /** Ends what is running. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (engine != null) {
        engine.close(true);
        engine = null;
      }
    }
  }
}
