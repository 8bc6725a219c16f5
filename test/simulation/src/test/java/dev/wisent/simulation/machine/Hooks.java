package dev.wisent.simulation.machine;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What the product calls instead of the machine's threads, clock and chance; {@link Rewriting} puts
 * these calls in. Builders of threads are passed as objects, because the JDK's interfaces are
 * sealed.
 */
public final class Hooks {
  private static volatile Machine machine;

  private Hooks() {}

  static void use(Machine newMachine) {
    machine = newMachine;
  }

  static Machine machine() {
    return machine;
  }

  /** The process that the calling thread belongs to. */
  public static Host host() {
    Host host = machine == null ? null : machine.current();
    if (host == null) {
      throw new IllegalStateException("not in a simulated process");
    }
    return host;
  }

  /** In place of {@link Clock#system}. */
  public static Clock system() {
    return host().clock();
  }

  /** In place of {@link RandomSource#system}. */
  public static RandomSource systemRandom() {
    return host().random();
  }

  /** Before locks are taken and stores are read: other threads may come first. */
  public static void preempt() {
    Machine now = machine;
    if (now != null) {
      now.preempt();
    }
  }

  /** In place of the JDK's delayed executor, whose tasks bring files to the disk. */
  public static Executor delayedExecutor(long delay, TimeUnit unit) {
    return task -> {};
  }

  /** In place of the JDK's, which it keeps with all its threads until it is shut down. */
  public static ExecutorService newSingleThreadExecutor(ThreadFactory threads) {
    return new ThreadPoolExecutor(
        1, 1, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), threads);
  }

  private static final class Threads implements ThreadFactory {
    private final Host host = host();
    private String name = "thread";
    private long next = -1;

    @Override
    public Thread newThread(Runnable task) {
      return host.unstarted(next < 0 ? name : name + next++, task);
    }
  }

  /** In place of {@link Thread#ofPlatform}. */
  public static Object ofPlatform() {
    return new Threads();
  }

  /** In place of {@link Thread#ofVirtual}. */
  public static Object ofVirtual() {
    return new Threads();
  }

  public static Object daemon(Object builder) {
    return builder;
  }

  public static Object daemon(Object builder, boolean on) {
    return builder;
  }

  public static Object name(Object builder, String name) {
    ((Threads) builder).name = name;
    return builder;
  }

  public static Object name(Object builder, String prefix, long start) {
    ((Threads) builder).name = prefix;
    ((Threads) builder).next = start;
    return builder;
  }

  public static ThreadFactory factory(Object builder) {
    return (Threads) builder;
  }

  public static Thread unstarted(Object builder, Runnable task) {
    return ((Threads) builder).newThread(task);
  }

  public static Thread start(Object builder, Runnable task) {
    Thread thread = unstarted(builder, task);
    thread.start();
    return thread;
  }
}
