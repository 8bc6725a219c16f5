package dev.wisent.simulation.machine;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;

/** A virtual thread whose next piece runs when the machine says so. */
final class SimulatedThread implements Executor {
  private static final Constructor<?> BUILDER = builder();
  private static final Field ON_WAITING_LIST = field("onWaitingList");
  private static final Field BLOCK_PERMIT = field("blockPermit");

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

  private static Field field(String name) {
    try {
      Field field = Class.forName("java.lang.VirtualThread").getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK's virtual threads wait otherwise", e);
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

  /**
   * Whether the monitor that it waited for was left to it: the JVM has put it into a list, or has
   * taken it from there.
   */
  boolean isLetGo() {
    try {
      return ON_WAITING_LIST.getBoolean(thread) || BLOCK_PERMIT.getBoolean(thread);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return host + "/" + thread.getName();
  }
}
