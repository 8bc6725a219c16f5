package dev.wisent.operation;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.script.Script;
import dev.wisent.query.script.ScriptCompiler;
import dev.wisent.query.script.ScriptEngine;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One operation under way: when it must stop, whether it was asked to, and what it has looked at so
 * far. The running thread owns the counters; {@link #kill} may come from anywhere.
 */
public final class OperationContext implements ScriptCompiler {
  private static final int CHECKS_PER_CLOCK_READ = 128;
  static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Clock clock;
  private final RandomSource random;
  private final long startNanos;
  private final BooleanSupplier clientGone;
  private final OperationWrites writes = new OperationWrites();
  private long deadlineNanos = Long.MAX_VALUE;
  private volatile ErrorCode killedBy;
  private final Wakeup wakeup = new Wakeup();
  private volatile OperationProgress progress;
  private volatile boolean waitingForLock;
  private EarlyAnswer earlyAnswer;
  private Runnable stopCheck;
  private int checks;

  private long documentsExamined;
  private long keysExamined;
  private Supplier<String> planSummary;
  private PlanIdentity plan;
  private boolean scansRefused;
  private Boolean diskUse;
  private boolean bypassValidation;
  private RawDocument let = RawDocument.EMPTY;
  private LongSupplier clusterTime;
  private long nowMillis = Long.MIN_VALUE;
  private RetryableWrite retryableWrite;
  private StoreAttachment attachment;
  private long pausedNanos;
  private ReadPoint readPoint;
  private QueryOperation query;
  private OperationScripts scripts;

  public OperationContext(Clock clock, RandomSource random, BooleanSupplier clientGone) {
    this.clock = clock;
    this.random = random;
    this.startNanos = clock.monotonicNanos();
    this.clientGone = clientGone;
  }

  /**
   * An operation of the server's own, which is not interrupted. It has no expressions of clients,
   * and so no random values.
   */
  public static OperationContext internal(Clock clock) {
    return new OperationContext(clock, RandomSource.none(), () -> false);
  }

  public Clock clock() {
    return clock;
  }

  public RandomSource random() {
    return random;
  }

  /** The time of day that the operation's expressions see: it stands still. */
  public long nowMillis() {
    if (nowMillis == Long.MIN_VALUE) {
      nowMillis = clock.wallMillis();
    }
    return nowMillis;
  }

  /** Sets that time of day, where another node has begun the operation. */
  public void nowMillis(long millis) {
    nowMillis = millis;
  }

  /** Sets the variables that the command's expressions may read. */
  public void let(RawDocument variables) {
    let = variables;
  }

  public RawDocument let() {
    return let;
  }

  /** Sets where the time of the cluster comes from. */
  public void clusterTime(LongSupplier source) {
    clusterTime = source;
  }

  /** The time of the cluster, as timestamps have it; null where there is no cluster. */
  public LongSupplier clusterTime() {
    return clusterTime;
  }

  public long startNanos() {
    return startNanos;
  }

  /** Limits the rest of the operation; zero means no limit. */
  public void limitMillis(long maxTimeMillis) {
    if (maxTimeMillis > 0) {
      deadlineNanos = clock.monotonicNanos() + maxTimeMillis * 1_000_000L;
    }
  }

  /** Nanoseconds left until the limit, or Long.MAX_VALUE without one. */
  public long nanosLeft() {
    return deadlineNanos == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : deadlineNanos - clock.monotonicNanos();
  }

  /** Milliseconds left until the limit, at least 1 and at most as many as given. */
  public long millisLeft(long millisMax) {
    return Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanosLeft()), 1, millisMax);
  }

  /** Ends the operation at its next check, and the wait that it is in. */
  public void kill(ErrorCode reason) {
    killedBy = reason;
    wakeup.wake();
  }

  /** Wakes the operation while it waits for a signal. */
  public Wakeup wakeup() {
    return wakeup;
  }

  /** Adds a check, from now on, that throws if the operation has to stop. Null for none. */
  public void stopCheck(Runnable check) {
    stopCheck = check;
  }

  public boolean isKilled() {
    return killedBy != null;
  }

  /** To be called in every loop over data; cheap enough for each step. */
  public void checkInterrupt() {
    checkKilled();
    if (++checks % CHECKS_PER_CLOCK_READ == 0) {
      checkNow();
      // A long scan lets short operations go first instead of using up its time slice.
      Thread.yield();
    }
  }

  /** As {@link #checkInterrupt}, looking at the clock and the client's connection each time. */
  public void checkNow() {
    checkKilled();
    if (deadlineNanos != Long.MAX_VALUE && clock.monotonicNanos() - deadlineNanos > 0) {
      throw Interruptions.outOfTime();
    }
    if (clientGone.getAsBoolean()) {
      throw Interruptions.by(ErrorCode.CLIENT_DISCONNECT);
    }
  }

  /** Why the operation must stop, or null where it need not; for watching from another thread. */
  public CommandException stopReason() {
    ErrorCode reason = killedBy;
    if (reason != null) {
      return Interruptions.by(reason);
    }
    if (nanosLeft() < 0) {
      return Interruptions.outOfTime();
    }
    return clientGone.getAsBoolean() ? Interruptions.by(ErrorCode.CLIENT_DISCONNECT) : null;
  }

  private void checkKilled() {
    ErrorCode reason = killedBy;
    if (reason != null) {
      throw Interruptions.by(reason);
    }
    if (stopCheck != null) {
      stopCheck.run();
    }
  }

  /** Takes a lock, asking while it waits whether to stop. */
  public void acquire(Lock lock) {
    await(nanos -> lock.tryLock(nanos, TimeUnit.NANOSECONDS));
  }

  /** Waits to the end for another operation, asking meanwhile whether to stop. */
  public void await(InterruptibleWait wait) {
    try {
      if (wait.await(0)) {
        return;
      }
      startLockWait();
      try {
        while (!wait.await(LOOK_NANOS)) {
          checkNow();
        }
      } finally {
        endLockWait();
      }
    } catch (InterruptedException e) {
      throw threadInterrupted();
    }
  }

  /**
   * Answers the client if the operation must stop during a wait that it cannot give up. Returns at
   * the end of the wait, or when the client has its answer.
   */
  public void answerWhile(InterruptibleWait wait) {
    if (earlyAnswer != null) {
      earlyAnswer.during(wait, this);
    }
  }

  /** Sets what answers the client of an operation that must stop while it cannot give up a wait. */
  public void earlyAnswer(Consumer<CommandException> answer) {
    earlyAnswer = new EarlyAnswer(answer);
  }

  /** Notes that the operation waits for another one, until {@link #endLockWait}. */
  public void startLockWait() {
    waitingForLock = true;
  }

  public void endLockWait() {
    waitingForLock = false;
  }

  public boolean isWaitingForLock() {
    return waitingForLock;
  }

  /** What a wait throws when the thread was interrupted: that happens only to end it. */
  public CommandException threadInterrupted() {
    Thread.currentThread().interrupt();
    return Interruptions.by(ErrorCode.INTERRUPTED);
  }

  /** Adds to what the operation has looked at. */
  public void examined(long keys, long documents) {
    keysExamined += keys;
    documentsExamined += documents;
  }

  public long documentsExamined() {
    return documentsExamined;
  }

  public long keysExamined() {
    return keysExamined;
  }

  public void planSummary(Supplier<String> summary) {
    planSummary = summary;
  }

  /** How the data was reached, such as {@code IXSCAN { a: 1 }}; null if it was not. */
  public String planSummary() {
    return planSummary == null ? null : planSummary.get();
  }

  public void plan(PlanIdentity identity) {
    plan = identity;
  }

  /** What names the plan of the query; null where nothing was planned. */
  public PlanIdentity plan() {
    return plan;
  }

  public void progress(OperationProgress current) {
    progress = current;
  }

  /** How far a long operation has come; null for any other. */
  public OperationProgress progress() {
    return progress;
  }

  /** Refuses plans that would read a whole collection, as {@code notablescan} asks for. */
  public void refuseScans() {
    scansRefused = true;
  }

  public boolean scansRefused() {
    return scansRefused;
  }

  /** Says whether sorts that exceed their memory may use files. */
  public void allowDiskUse(boolean allowed) {
    diskUse = allowed;
  }

  /** Null if the client did not say. */
  public Boolean diskUse() {
    return diskUse;
  }

  /** Says whether what a pipeline writes need not follow the rules of its collection. */
  public void bypassValidation(boolean bypass) {
    bypassValidation = bypass;
  }

  public boolean bypassesValidation() {
    return bypassValidation;
  }

  /** Makes the operation one that has its effect once, however often it is sent. */
  public void retryableWrite(RetryableWrite write) {
    retryableWrite = write;
  }

  /** Null for an ordinary operation. */
  public RetryableWrite retryableWrite() {
    return retryableWrite;
  }

  /** Has the operation read this state; null for the newest. */
  public void readPoint(ReadPoint point) {
    readPoint = point;
  }

  public ReadPoint readPoint() {
    return readPoint;
  }

  /**
   * Allows functions in JavaScript; null to refuse them.
   *
   * @param stored reads the functions that the operation's database stores
   */
  public void scriptEngine(ScriptEngine engine, Supplier<List<RawDocument>> stored) {
    scripts = engine == null ? null : new OperationScripts(engine, stored);
  }

  /** Compiles a function in JavaScript, which this operation can end. */
  @Override
  public Script compile(String code) {
    return scripts == null ? NONE.compile(code) : scripts.compile(code, query());
  }

  /** What stops the queries that this operation begins, also when they go on under others. */
  public QueryOperation query() {
    if (query == null) {
      query = new QueryOperation(this);
    }
    return query;
  }

  /** Sets what the store keeps with the operation. */
  public void attachment(StoreAttachment of) {
    attachment = of;
  }

  /** What the store keeps with the operation; null for nothing. */
  public StoreAttachment attachment() {
    return attachment;
  }

  public boolean hasWritten() {
    return attachment != null && attachment.hasWritten();
  }

  /** The cluster time of the last write; 0 if the operation made none that is replicated. */
  public long lastWriteTime() {
    return attachment == null ? 0 : attachment.lastWriteTime();
  }

  /** Notes time in which the operation had nothing to do but wait for new documents. */
  public void paused(long nanos) {
    pausedNanos += nanos;
  }

  /** How much of its time the operation was {@link #paused}. */
  public long pausedNanos() {
    return pausedNanos;
  }

  public OperationWrites writes() {
    return writes;
  }
}
