package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.balance.Stall;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The loop of the balancer. It runs rounds while this member leads and the settings allow it. After
 * a round that has moved something the next one follows soon, otherwise after ten seconds, or as
 * soon as a command has changed what it depends on.
 */
public final class Balancer {
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int FAILED_LOG_ID = 9_000_565;

  private final CatalogStore store;
  private final BalancerRound round;
  private final GrowingEnds ends;
  private final ActionLog actions;
  private final BalancerFigures figures;
  private final Defragmenter defragmenter;
  private final BalancerParameters parameters;
  private final BooleanSupplier leads;
  private final Clock clock;
  private final ZoneId zone;
  private final Log log;
  private final BackgroundLoop loop;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  // Guarded by the lock.
  private OperationContext running;
  private boolean active;
  private boolean woken;
  private boolean restarted;
  private boolean termEnded;

  /** Of the thread: when the next round is due. */
  private long dueNanos;

  /**
   * What the balancer is made from.
   *
   * @param leads whether this member leads and has begun its term
   * @param zone in which the times of windows are
   */
  record Parts(
      CatalogStore store,
      BalancerRound round,
      GrowingEnds ends,
      ActionLog actions,
      BalancerFigures figures,
      Defragmenter defragmenter,
      BalancerParameters parameters,
      BooleanSupplier leads,
      ZoneId zone,
      Log log) {}

  Balancer(Parts parts, BackgroundLoops loops) {
    this.store = parts.store;
    this.round = parts.round;
    this.ends = parts.ends;
    this.actions = parts.actions;
    this.figures = parts.figures;
    this.defragmenter = parts.defragmenter;
    this.parameters = parts.parameters;
    this.leads = parts.leads;
    this.zone = parts.zone;
    this.log = parts.log;
    this.clock = loops.clock();
    this.dueNanos = clock.monotonicNanos();
    this.loop = loops.every(PERIOD, "balancer", this::turn);
    ends.listener(this::wake);
  }

  /** To be started. */
  public BackgroundLoop loop() {
    return loop;
  }

  /** Has the next round begin at once: settings, zones or shards have changed. */
  public void wake() {
    lock.lock();
    try {
      woken = true;
    } finally {
      lock.unlock();
    }
    loop.wake();
  }

  /** The same, and ranges whose migration has failed are tried again. */
  void restart() {
    lock.lock();
    try {
      restarted = true;
    } finally {
      lock.unlock();
    }
    wake();
  }

  /** Ends the round that is under way: this member leads no longer. */
  public void end() {
    lock.lock();
    try {
      termEnded = true;
      if (running != null) {
        running.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      }
    } finally {
      lock.unlock();
    }
  }

  public boolean isInRound() {
    lock.lock();
    try {
      return active;
    } finally {
      lock.unlock();
    }
  }

  public BalancerFigures figures() {
    return figures;
  }

  /** What the last round could not move. */
  List<Stall> stalls() {
    return round.stalls();
  }

  Defragmenter defragmenter() {
    return defragmenter;
  }

  /** Waits until the round that is under way has ended, and the migrations of earlier ones. */
  void join(OperationContext operation) {
    OperationContext joined;
    lock.lock();
    try {
      joined = running;
    } finally {
      lock.unlock();
    }
    operation.await(nanos -> joined == null || hasEnded(joined, nanos));
    round.awaitUnfinished(operation, this::isTermOver);
  }

  private boolean hasEnded(OperationContext joined, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (running == joined && left > 0) {
        left = ended.awaitNanos(left);
      }
      return running != joined;
    } finally {
      lock.unlock();
    }
  }

  private void turn() {
    if (!leads.getAsBoolean()) {
      return;
    }
    if (takeEndOfTerm()) {
      round.clear();
    }
    if (takeRestart()) {
      round.clearFailures();
    }
    if (!takeWake() && clock.monotonicNanos() - dueNanos < 0) {
      return;
    }
    OperationContext operation = OperationContext.internal(clock);
    operation.stopCheck(this::requireStarted);
    // Before the settings are read: a command that stops the balancer finds it running or stopped.
    begin(operation);
    long pause = INTERVAL.toNanos();
    try {
      pause = runRound(operation);
    } finally {
      endRound();
    }
    dueNanos = clock.monotonicNanos() + pause;
    if (pause < PERIOD.toNanos()) {
      loop.wake();
    }
  }

  private void requireStarted() {
    if (loop.isStopped()) {
      throw new CommandException(ErrorCode.INTERRUPTED_AT_SHUTDOWN, "the server goes");
    }
  }

  private boolean isTermOver() {
    lock.lock();
    try {
      return termEnded;
    } finally {
      lock.unlock();
    }
  }

  private boolean takeEndOfTerm() {
    lock.lock();
    try {
      boolean taken = termEnded;
      termEnded = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private boolean takeRestart() {
    lock.lock();
    try {
      boolean taken = restarted;
      restarted = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private boolean takeWake() {
    lock.lock();
    try {
      boolean taken = woken;
      woken = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void begin(OperationContext operation) {
    lock.lock();
    try {
      running = operation;
    } finally {
      lock.unlock();
    }
  }

  private void activate() {
    lock.lock();
    try {
      active = true;
    } finally {
      lock.unlock();
    }
  }

  private void endRound() {
    lock.lock();
    try {
      running = null;
      active = false;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How long the next round can wait: less where it has something new to look at. */
  private long runRound(OperationContext operation) {
    long begin = clock.monotonicNanos();
    try {
      BalancerSettings settings = BalancerSettings.read(operation, store);
      LocalTime now = Instant.ofEpochMilli(clock.wallMillis()).atZone(zone).toLocalTime();
      if (!settings.isActiveAt(now)) {
        return INTERVAL.toNanos();
      }
      activate();
      RoundResult result = round.run(operation, settings, ends.take());
      figures.rounds.incrementAndGet();
      long millis = took(begin);
      if (result.candidates() > 0) {
        actions.succeeded(operation, millis, result);
      }
      return result.moved() + result.changed() > 0
          ? TimeUnit.MILLISECONDS.toNanos(parameters.migrationsThrottlingMillis())
          : Math.clamp(round.mergeDelayNanos(), PERIOD.toNanos(), INTERVAL.toNanos());
    } catch (CommandException e) {
      if (operation.isKilled() || loop.isStopped()) {
        return INTERVAL.toNanos();
      }
      figures.roundsFailed.incrementAndGet();
      log.warn(FAILED_LOG_ID, "A round of the balancer has failed", "error", e.getMessage());
      actions.failed(operation, took(begin), e.getMessage());
      return INTERVAL.toNanos();
    } finally {
      figures.roundMillis.addAndGet(took(begin));
    }
  }

  private long took(long beginNanos) {
    return TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - beginNanos);
  }
}
