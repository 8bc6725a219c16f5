package dev.wisent.simulation.machine;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A process: its threads, its clock and its random values. A process that is killed has threads
 * that never run again, whatever they were about to do.
 */
public final class Host {
  private final Machine machine;
  private final String name;
  private final RandomSource random;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<SimulatedThread> threads = new ArrayList<>();
  private int alive;
  private boolean dead;
  private long skewMillis;

  Host(Machine machine, String name, RandomSource random) {
    this.machine = machine;
    this.name = name;
    this.random = random;
  }

  public String name() {
    return name;
  }

  public Machine machine() {
    return machine;
  }

  public RandomSource random() {
    return random;
  }

  public boolean isDead() {
    return dead;
  }

  /** As by SIGKILL. */
  public void kill() {
    dead = true;
    // The JDK keeps executors that were not shut down, with their threads.
    threads.forEach(SimulatedThread::forget);
    threads.clear();
  }

  /** What has to be closed when the process has died, because the JVM goes on. */
  public void owns(AutoCloseable resource) {
    resources.add(resource);
  }

  public List<AutoCloseable> resources() {
    return resources;
  }

  /** Has the time of day of this process jump. */
  public void jump(long millis) {
    skewMillis += millis;
  }

  public Clock clock() {
    return new Clock() {
      @Override
      public long wallMillis() {
        return machine.wallMillis() + skewMillis;
      }

      @Override
      public long monotonicNanos() {
        return machine.nowNanos();
      }
    };
  }

  /** Starts a thread of this process. */
  public Thread start(String threadName, Runnable task) {
    Thread thread = unstarted(threadName, task);
    thread.start();
    return thread;
  }

  Thread unstarted(String threadName, Runnable task) {
    var thread = new SimulatedThread(machine, this, threadName, task);
    if (threads.size() > 100 && threads.size() > 2 * alive) {
      threads.removeIf(SimulatedThread::hasEnded);
      alive = threads.size();
    }
    threads.add(thread);
    return thread.thread();
  }

  /** What its threads are at, to find out why something does not go on. */
  public String dump() {
    var out = new StringBuilder();
    for (SimulatedThread each : threads) {
      if (!each.hasEnded()) {
        out.append(each).append('\n');
        for (StackTraceElement frame : each.thread().getStackTrace()) {
          if (frame.getClassName().startsWith("dev.wisent")) {
            out.append("    ").append(frame).append('\n');
          }
        }
      }
    }
    return out.toString();
  }

  @Override
  public String toString() {
    return name;
  }
}
