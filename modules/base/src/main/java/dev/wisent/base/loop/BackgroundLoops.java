package dev.wisent.base.loop;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop.Turn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The background loops of one node. */
public final class BackgroundLoops {
  private static final int BROKEN_LOG_ID = 9_000_401;

  private final Clock clock;
  private final Log log;
  private final Consumer<Error> brokenInvariant;
  private final List<BackgroundLoop> loops = new CopyOnWriteArrayList<>();
  private final Scheduler scheduler;

  /**
   * @param brokenInvariant stops the node; called by the loop's thread, which ends then
   */
  public BackgroundLoops(Clock clock, Log log, Consumer<Error> brokenInvariant) {
    this.clock = clock;
    this.log = log;
    this.brokenInvariant = brokenInvariant;
    this.scheduler = new ThreadScheduler(this, log);
  }

  /** For tests, and for what is opened without a node. */
  public static BackgroundLoops silent() {
    return new BackgroundLoops(Clock.system(), Log.silent(), error -> {});
  }

  /** The clock of the node. */
  public Clock clock() {
    return clock;
  }

  /** For tasks that run once; its repeated tasks are loops of this node. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** A loop whose turns wait for their work by themselves; to be started. */
  public BackgroundLoop loop(String name, Turn turn) {
    return add(name, 0, turn);
  }

  /** A loop with a turn after each period; to be started. */
  public BackgroundLoop every(Duration period, String name, Turn turn) {
    return add(name, period.toNanos(), turn);
  }

  private BackgroundLoop add(String name, long periodNanos, Turn turn) {
    var loop = new BackgroundLoop(name, periodNanos, turn, clock, log, this::stopNode);
    loops.removeIf(BackgroundLoop::isStopped);
    loops.add(loop);
    return loop;
  }

  /** Stops the node because of a broken invariant that a task in the background has found. */
  public void stopNode(Error broken) {
    log.fatal(BROKEN_LOG_ID, "A background task found a broken invariant", broken);
    brokenInvariant.accept(broken);
  }

  /** Of all loops that were not stopped, in the order in which they were made. */
  public List<LoopCounts> counts() {
    return loops.stream().filter(loop -> !loop.isStopped()).map(BackgroundLoop::counts).toList();
  }

  /** Has the next turn of a loop throw, for tests; false if there is no such loop. */
  public boolean failNextTurn(String name, RuntimeException failure) {
    boolean found = false;
    for (BackgroundLoop loop : loops) {
      if (loop.name().equals(name)) {
        loop.failNextTurn(failure);
        found = true;
      }
    }
    return found;
  }
}
