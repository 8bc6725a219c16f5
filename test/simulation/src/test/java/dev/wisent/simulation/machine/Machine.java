package dev.wisent.simulation.machine;

import dev.wisent.base.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs the threads of all simulated processes, one piece of one thread at a time, in an order that
 * a seed decides. A piece ends where its thread waits: at a lock, a condition, a future, a socket.
 * The clock stands still while a thread can run, and moves to the next timer when none can.
 *
 * <p>One machine at a time is the one of the JVM; see {@link Hooks}.
 */
public final class Machine implements AutoCloseable {
  private static final long START_MILLIS = 1_700_000_000_000L;

  /** For how long the JVM may be about to let a thread go; it is an error that takes longer. */
  private static final long UNBLOCK_NANOS = 60_000_000_000L;

  /** How often it is looked whether one has come, where nothing tells. */
  private static final long LET_GO_NANOS = 1_000_000;

  private static final int CANCELLED_MIN = 1000;

  private record Piece(SimulatedThread thread, Runnable continuation) {}

  /** What happens at a time; its host is null if it is the machine's own. */
  static final class Timer implements Comparable<Timer> {
    private final long nanos;
    private final long order;
    private final long number;
    private final Host host;
    private final Runnable task;
    private boolean cancelled;
    private boolean fired;

    private Timer(long nanos, long order, long number, Host host, Runnable task) {
      this.nanos = nanos;
      this.order = order;
      this.number = number;
      this.host = host;
      this.task = task;
    }

    @Override
    public int compareTo(Timer other) {
      if (nanos != other.nanos) {
        return nanos < other.nanos ? -1 : 1;
      }
      return order != other.order
          ? Long.compare(order, other.order)
          : Long.compare(number, other.number);
    }

    private boolean cancel() {
      boolean first = !cancelled && !fired;
      cancelled = true;
      return first;
    }

    boolean isCancelled() {
      return cancelled;
    }

    boolean isDone() {
      return cancelled || fired;
    }

    long nanos() {
      return nanos;
    }
  }

  private final RandomSource random;
  private final Preemption preemption;
  private final Thread loop = Thread.currentThread();
  private final List<Host> hosts = new ArrayList<>();
  private final List<Piece> ready = new ArrayList<>();
  private final ConcurrentLinkedQueue<Piece> fromOutside = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();

  private long nowNanos;
  private long numbers;
  private int cancelled;
  private long steps;
  private long digest = 17;
  private final List<SimulatedThread> blocked = new ArrayList<>();
  private long outside;
  private SimulatedThread running;
  private long pauseNanos;
  private Throwable failure;
  private Consumer<String> trace = line -> {};

  /**
   * @param preemption how often a thread is interrupted by others where it need not wait
   */
  public Machine(long seed, Preemption preemption) {
    if (SimulatedJvm.instrumentation() == null) {
      throw new IllegalStateException("this JVM has to be prepared first");
    }
    this.random = RandomSource.seeded(seed);
    this.preemption = preemption;
    Hooks.use(this);
    VirtualTime.set(0);
  }

  /** Makes a process without threads. */
  public Host host(String name) {
    var host = new Host(this, name, RandomSource.seeded(random.nextLong()));
    hosts.add(host);
    return host;
  }

  public RandomSource random() {
    return random;
  }

  public long nowNanos() {
    return nowNanos;
  }

  public long wallMillis() {
    return START_MILLIS + nowNanos / 1_000_000;
  }

  public long steps() {
    return steps;
  }

  /** Of everything that ran, in its order: the same for the same seed. */
  public long digest() {
    return digest;
  }

  /** How often a thread of the JDK, which no seed decides about, has let a thread go on. */
  public long fromOutside() {
    return outside;
  }

  public void trace(Consumer<String> to) {
    trace = to;
  }

  /** The process whose thread runs now; null between pieces. */
  Host current() {
    return running == null ? null : running.host();
  }

  void ready(SimulatedThread thread, Runnable continuation) {
    var piece = new Piece(thread, continuation);
    Thread caller = Thread.currentThread();
    if (caller != loop && !caller.isVirtual()) {
      fromOutside.add(piece);
      LockSupport.unpark(loop);
    } else if (thread == running && pauseNanos > 0) {
      long pause = pauseNanos;
      pauseNanos = 0;
      at(pause, thread.host(), () -> ready.add(piece));
    } else {
      ready.add(piece);
    }
  }

  void uncaught(SimulatedThread thread, Throwable error) {
    if (failure == null) {
      failure = new IllegalStateException("uncaught in " + thread, error);
    }
  }

  /** Has the simulation end with an error at the next step. */
  public void fail(Throwable why) {
    if (failure == null) {
      failure = why;
    }
  }

  /** Runs a task between two pieces, unless its host is dead by then. */
  Timer at(long delayNanos, Host host, Runnable task) {
    long delay = Math.max(0, delayNanos);
    long at = delay > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + delay;
    var timer = new Timer(at, random.nextLong(), numbers++, host, task);
    timers.add(timer);
    return timer;
  }

  boolean cancel(Timer timer) {
    boolean first = timer.cancel();
    if (first && ++cancelled > CANCELLED_MIN && cancelled > timers.size() / 2) {
      timers.removeIf(Timer::isCancelled);
      cancelled = 0;
    }
    return first;
  }

  /** Runs a task of the simulation itself after a time. */
  public void after(long delayNanos, Runnable task) {
    at(delayNanos, null, task);
  }

  /** A place where another thread may run instead of the current one. */
  void preempt() {
    if (running == null || Thread.currentThread() != running.thread()) {
      return;
    }
    if (preemption.yields(random)) {
      pauseNanos = preemption.pauseNanos(random);
      Thread.yield();
    }
  }

  /**
   * Runs threads until a condition holds, which is looked at after each piece.
   *
   * @return false if it does not hold within this time
   */
  public boolean runUntil(BooleanSupplier condition, long limitNanos) {
    long end = nowNanos + limitNanos;
    while (!condition.getAsBoolean()) {
      if (nowNanos > end || !step()) {
        return false;
      }
    }
    return true;
  }

  /** One piece of a thread, or the next timer; false if nothing is left. */
  public boolean step() {
    takeFromOutside();
    if (!ready.isEmpty()) {
      int index = random.nextInt(ready.size());
      Piece piece = ready.get(index);
      ready.set(index, ready.getLast());
      ready.removeLast();
      if (piece.thread.host() != null) {
        run(piece);
      }
    } else if (!fireTimer()) {
      return false;
    }
    if (failure != null) {
      throw new IllegalStateException("the simulation failed: " + failure, failure);
    }
    return true;
  }

  private void run(Piece piece) {
    steps++;
    digest = 31 * digest + piece.thread.toString().hashCode();
    digest = 31 * digest + nowNanos;
    trace.accept(nowNanos + " " + piece.thread);
    running = piece.thread;
    try {
      piece.continuation.run();
    } finally {
      running = null;
    }
    if (piece.thread.host() != null && piece.thread.isBlocked()) {
      blocked.add(piece.thread);
    }
  }

  /**
   * A thread that waited for a monitor is let go by a thread of the JDK, soon after the monitor is
   * free. What the machine waits for has been decided by the piece that left the monitor, so the
   * order stays the same.
   */
  private void takeFromOutside() {
    if (blocked.isEmpty() && fromOutside.isEmpty()) {
      return;
    }
    blocked.removeIf(thread -> thread.host() == null);
    takeArrived();
    long end = 0;
    while (isAnyLetGo()) {
      long now = System.nanoTime();
      end = end == 0 ? now + UNBLOCK_NANOS : end;
      if (now > end) {
        throw new IllegalStateException("the JVM does not let go " + blocked);
      }
      if (fromOutside.isEmpty()) {
        LockSupport.parkNanos(this, LET_GO_NANOS);
      }
      takeArrived();
    }
  }

  private boolean isAnyLetGo() {
    for (SimulatedThread thread : blocked) {
      if (thread.isLetGo()) {
        return true;
      }
    }
    return false;
  }

  private void takeArrived() {
    for (Piece piece = fromOutside.poll(); piece != null; piece = fromOutside.poll()) {
      blocked.remove(piece.thread);
      outside++;
      ready.add(piece);
    }
  }

  private boolean fireTimer() {
    Timer timer = timers.poll();
    while (timer != null && timer.cancelled) {
      timer = timers.poll();
    }
    if (timer == null) {
      return false;
    }
    nowNanos = Math.max(nowNanos, timer.nanos);
    VirtualTime.set(nowNanos);
    timer.fired = true;
    if (timer.host == null || !timer.host.isDead()) {
      timer.task.run();
    }
    return true;
  }

  @Override
  public void close() {
    hosts.forEach(Host::kill);
    hosts.clear();
    ready.clear();
    timers.clear();
    Hooks.use(null);
  }
}
