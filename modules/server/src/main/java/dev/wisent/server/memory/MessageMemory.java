package dev.wisent.server.memory;

import dev.wisent.base.Clock;
import dev.wisent.base.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all messages in flight may take together. What does not fit waits.
 *
 * <p>Two kinds of claims wait in two queues. An <em>arriving</em> message claims all that it needs
 * at once, before it is read, and holds nothing counted while it waits; it gets its memory in turn
 * and only when it fits, or when nothing else is held. A <em>running</em> operation that needs more
 * goes first, since it holds memory already and gives it back when it ends. When it does not fit,
 * one at a time gets all that an operation can need, beyond the limit: so one can always end.
 *
 * <p>Small messages never come here: each connection with a thread may have them, and the limit for
 * the others is lower by {@link Limits#MESSAGE_BYTES_UNCOUNTED_MAX} for each, down to a half.
 *
 * <p>Thread-safe.
 */
public final class MessageMemory {
  /** For whom a thread reads. A thread serves the connections of one server. */
  private static final ThreadLocal<OperationMemory> CURRENT = new ThreadLocal<>();

  private final Clock clock;
  private volatile long bytesMax;
  private volatile int slowClientMillis = Limits.SLOW_CLIENT_MILLIS_DEFAULT;
  private final AtomicLong used = new AtomicLong();
  private final AtomicInteger threads = new AtomicInteger();
  private final LongAccumulator peak = new LongAccumulator(Math::max, 0);
  private final LongAdder waits = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final LongAdder slowClients = new LongAdder();

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Claim> arriving = new ArrayDeque<>(); // guarded by lock
  private final Deque<Claim> running = new ArrayDeque<>(); // guarded by lock

  /** The lengths of the queues, to be looked at without the lock. */
  private volatile int arrivingCount;

  private volatile int runningCount;

  /** Memory that was asked for. */
  public static final class Claim {
    private final long bytes;
    private final long bytesBeyondLimit;
    private final Runnable granted;
    private long given; // guarded by the memory's lock
    private boolean cancelled; // guarded by the memory's lock

    private Claim(long bytes, long bytesBeyondLimit, Runnable granted) {
      this.bytes = bytes;
      this.bytesBeyondLimit = bytesBeyondLimit;
      this.granted = granted;
    }

    public long bytes() {
      return bytes;
    }
  }

  /**
   * Figures for serverStatus.
   *
   * @param arriving messages that wait to be read
   * @param running operations that wait
   * @param waits claims that had to wait since the start
   * @param refusals operations that failed because they waited too long
   * @param slowClients connections that were closed because they were slow while others waited
   * @param threads connections with a thread, each of which may have small messages
   */
  public record Counts(
      long limitBytes,
      long usedBytes,
      long peakBytes,
      int arriving,
      int running,
      long waits,
      long refusals,
      long slowClients,
      int threads) {}

  public MessageMemory(Clock clock, long bytesMax) {
    this.clock = clock;
    this.bytesMax = bytesMax;
  }

  /** A part of the heap. */
  public static MessageMemory ofHeap(Clock clock) {
    return new MessageMemory(clock, Limits.MESSAGE_MEMORY_BYTES_DEFAULT);
  }

  public long bytesMax() {
    return bytesMax;
  }

  public void bytesMax(long bytes) {
    bytesMax = bytes;
    serve();
  }

  /** How long a client may be slow with a large message while others wait for memory. */
  public int slowClientMillis() {
    return slowClientMillis;
  }

  public void slowClientMillis(int millis) {
    slowClientMillis = millis;
  }

  Clock clock() {
    return clock;
  }

  /** A connection has got a thread. */
  public void threadStarted() {
    threads.incrementAndGet();
  }

  public void threadEnded() {
    threads.decrementAndGet();
    if (isContended()) {
      serve();
    }
  }

  /** How many claims wait. */
  public int waiting() {
    return arrivingCount + runningCount;
  }

  /** Whether a claim waits. */
  private boolean isContended() {
    return arrivingCount > 0 || runningCount > 0;
  }

  /** Whether so little is used that buffers may be kept for the next message. */
  boolean isAmple() {
    return used.get() < limit() / 2;
  }

  private long limit() {
    long most = bytesMax;
    return Math.max(most - (long) threads.get() * Limits.MESSAGE_BYTES_UNCOUNTED_MAX, most / 2);
  }

  private boolean fits(long before, long bytes) {
    return before == 0 || before + bytes <= limit();
  }

  /** Takes memory for a message that arrives, if it is there and no other one waits for it. */
  public boolean tryTake(long bytes) {
    return !isContended() && takeIfFits(bytes);
  }

  /** As {@link #tryTake}, for an operation that runs: it need not wait for arriving messages. */
  boolean tryTakeMore(long bytes) {
    return runningCount == 0 && takeIfFits(bytes);
  }

  private boolean takeIfFits(long bytes) {
    while (true) {
      long before = used.get();
      if (!fits(before, bytes)) {
        return false;
      }
      if (used.compareAndSet(before, before + bytes)) {
        peak.accumulate(before + bytes);
        return true;
      }
    }
  }

  /** Takes memory beyond the limit, from what is set aside for those who look after the node. */
  public boolean tryTakeReserve(long bytes) {
    long most = bytesMax;
    if (used.get() + bytes > most + most / 4 + OperationMemory.BYTES_MOST) {
      return false;
    }
    takeAnyway(bytes);
    return true;
  }

  private void takeAnyway(long bytes) {
    peak.accumulate(used.addAndGet(bytes));
  }

  public void release(long bytes) {
    used.addAndGet(-bytes);
    if (isContended()) {
      serve();
    }
  }

  /**
   * A claim for a message that arrives, to be given to {@link #enqueue}.
   *
   * @param granted called once the memory is taken, on the thread that freed it
   */
  public Claim claim(long bytes, Runnable granted) {
    return new Claim(bytes, bytes, granted);
  }

  /** Has a claim wait for its turn, which may come before this returns. */
  public void enqueue(Claim claim) {
    enqueue(claim, arriving);
  }

  /** A claim of a running operation, which waits from now on. */
  Claim enqueueRunning(long bytes, long bytesBeyondLimit, Runnable granted) {
    var claim = new Claim(bytes, bytesBeyondLimit, granted);
    enqueue(claim, running);
    return claim;
  }

  private void enqueue(Claim claim, Deque<Claim> queue) {
    lock.lock();
    try {
      if (claim.cancelled) {
        return;
      }
      queue.add(claim);
      waits.increment();
      countQueues();
    } finally {
      lock.unlock();
    }
    serve();
  }

  /**
   * Gives a claim up; false if it was granted before, and its memory is the caller's to release.
   */
  public boolean cancel(Claim claim) {
    lock.lock();
    try {
      if (claim.given > 0) {
        return false;
      }
      claim.cancelled = true;
      arriving.remove(claim);
      running.remove(claim);
      countQueues();
    } finally {
      lock.unlock();
    }
    serve();
    return true;
  }

  /** How much a claim has got; 0 while it waits. */
  long given(Claim claim) {
    lock.lock();
    try {
      return claim.given;
    } finally {
      lock.unlock();
    }
  }

  /** Grants what can be granted now. */
  private void serve() {
    var granted = new ArrayList<Claim>();
    lock.lock();
    try {
      while (!running.isEmpty() && grantRunning(running.peek())) {
        granted.add(running.poll());
      }
      while (running.isEmpty() && !arriving.isEmpty() && takeIfFits(arriving.peek().bytes)) {
        Claim claim = arriving.poll();
        claim.given = claim.bytes;
        granted.add(claim);
      }
      countQueues();
    } finally {
      lock.unlock();
    }
    granted.forEach(claim -> claim.granted.run());
  }

  private boolean grantRunning(Claim claim) {
    if (takeIfFits(claim.bytes)) {
      claim.given = claim.bytes;
      return true;
    }
    if (used.get() > limit()) {
      return false;
    }
    takeAnyway(claim.bytesBeyondLimit);
    claim.given = claim.bytesBeyondLimit;
    return true;
  }

  private void countQueues() {
    arrivingCount = arriving.size();
    runningCount = running.size();
  }

  void refused() {
    refusals.increment();
  }

  /** A connection was closed because its client was slow while others waited. */
  public void slowClientClosed() {
    slowClients.increment();
  }

  public Counts counts() {
    return new Counts(
        bytesMax,
        used.get(),
        peak.get(),
        arrivingCount,
        runningCount,
        waits.sum(),
        refusals.sum(),
        slowClients.sum(),
        threads.get());
  }

  /** Sets for whom the current thread reads from now on; a thread serves connections only. */
  static void current(OperationMemory operation) {
    if (CURRENT.get() != operation) {
      CURRENT.set(operation);
    }
  }

  /** Before a value is read: waits until there is memory for it. */
  public void admitValue(int bytes) {
    OperationMemory operation = CURRENT.get();
    if (operation != null) {
      operation.value(bytes);
    }
  }
}
