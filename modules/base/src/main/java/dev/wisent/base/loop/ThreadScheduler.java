package dev.wisent.base.loop;

import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on threads of the machine: each single task on a new one, which may block, and each
 * repeated task as a {@link BackgroundLoop}.
 */
final class ThreadScheduler implements Scheduler {
  private static final int FAILED_LOG_ID = 9_000_402;

  private final BackgroundLoops loops;
  private final Log log;

  /** Only starts the threads of tasks whose delay has passed. */
  private final ScheduledThreadPoolExecutor timer;

  ThreadScheduler(BackgroundLoops loops, Log log) {
    this.loops = loops;
    this.log = log;
    this.timer =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("timer").factory());
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  @Override
  public Task run(String name, Runnable task) {
    var once = new Once(name, task);
    once.start();
    return once;
  }

  @Override
  public Task after(Duration delay, String name, Runnable task) {
    var once = new Once(name, task);
    ScheduledFuture<?> start = timer.schedule(once::start, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> {
      once.cancel();
      start.cancel(false);
    };
  }

  @Override
  public Task every(Duration period, String name, Runnable task) {
    BackgroundLoop loop = loops.every(period, name, task::run);
    loop.start();
    return loop::stop;
  }

  /** How many delays have not passed yet. */
  int pending() {
    return timer.getQueue().size();
  }

  private final class Once implements Task {
    private final String name;
    private final Runnable task;
    private volatile boolean cancelled;

    private Once(String name, Runnable task) {
      this.name = name;
      this.task = task;
    }

    private void start() {
      if (!cancelled) {
        Thread.ofPlatform().daemon().name(name).start(this::runGuarded);
      }
    }

    private void runGuarded() {
      if (cancelled) {
        return;
      }
      try {
        task.run();
      } catch (RuntimeException e) {
        log.error(FAILED_LOG_ID, "A background task failed", e, "task", name);
      } catch (Error e) {
        loops.stopNode(e);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
