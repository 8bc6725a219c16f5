package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.graalvm.polyglot.Engine;

/**
 * GraalJS: one engine, which keeps compiled code, and a few contexts that calls take turns with.
 * Contexts are locked down after their start, so that no function can leave anything behind for the
 * next one.
 */
public final class ScriptEngine implements AutoCloseable {
  /** More functions at a time wait; each may hold memory. */
  private static final int CONTEXTS_MAX = 8;

  private static final int WAIT_MILLIS = 20;

  private final ScriptGuard guard;
  private final Semaphore permits = new Semaphore(CONTEXTS_MAX);
  private final ConcurrentLinkedDeque<ScriptContext> idle = new ConcurrentLinkedDeque<>();
  private final Object lock = new Object();

  /** Guarded by {@link #lock}; null before the first use and after the close. */
  private Engine engine;

  private boolean closed;

  public ScriptEngine(ScriptGuard guard) {
    this.guard = guard;
  }

  /**
   * Compiles a function.
   *
   * @param stopReason why calls of it should end; null as long as they should not
   */
  public Script compile(String code, Supplier<CommandException> stopReason) {
    FunctionSource source = use(stopReason, context -> context.parse(code));
    return new CompiledScript(this, source, stopReason);
  }

  /** Runs something in a context, under watch. */
  <T> T use(Supplier<CommandException> stopReason, ScriptTask<T> task) {
    ScriptContext context = acquire(stopReason);
    CommandException stopped;
    RuntimeException failure = null;
    T result = null;
    boolean usable = false;
    ScriptGuard.Watch watch = guard.watch(stopReason, context::cancel);
    try {
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

  private ScriptContext acquire(Supplier<CommandException> stopReason) {
    try {
      while (!permits.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        CommandException reason = stopReason.get();
        if (reason != null) {
          throw reason;
        }
      }
    } catch (InterruptedException e) {
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
    try {
      ScriptContext context = idle.pollFirst();
      return context == null ? new ScriptContext(engine()) : context;
    } catch (RuntimeException | Error e) {
      permits.release();
      throw e;
    }
  }

  private void release(ScriptContext context, boolean usable) {
    if (usable) {
      idle.addFirst(context);
    } else {
      context.cancel();
    }
    permits.release();
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
