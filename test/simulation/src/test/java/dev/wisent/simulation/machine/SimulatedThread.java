package dev.wisent.simulation.machine;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/** A virtual thread whose next piece runs when the machine says so. */
final class SimulatedThread implements Executor {
  private static final Constructor<?> BUILDER = builder();

  private Machine machine;
  private Host host;
  private final Thread thread;

  SimulatedThread(Machine machine, Host host, String name, Runnable task) {
    this.machine = machine;
    this.host = host;
    try {
      var made = (Thread.Builder.OfVirtual) BUILDER.newInstance(this);
      this.thread =
          made.name(name).uncaughtExceptionHandler((of, error) -> uncaught(error)).unstarted(task);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Constructor<?> builder() {
    try {
      Constructor<?> made =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      made.setAccessible(true);
      return made;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK's virtual threads take no scheduler", e);
    }
  }

  Thread thread() {
    return thread;
  }

  private void uncaught(Throwable error) {
    if (machine != null) {
      machine.uncaught(this, error);
    }
  }

  /** The thread never runs again, and keeps nothing alive. */
  void forget() {
    machine = null;
    host = null;
    if (!hasEnded()) {
      ForgottenThread.empty(thread);
    }
  }

  boolean hasEnded() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  Host host() {
    return host;
  }

  /** Called by the JDK: the thread can go on. */
  @Override
  public void execute(Runnable continuation) {
    if (machine != null) {
      machine.ready(this, continuation);
    }
  }

  boolean isBlocked() {
    return thread.getState() == Thread.State.BLOCKED;
  }

  @Override
  public String toString() {
    return host + "/" + thread.getName();
  }
}
