package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.BalancePlan;
import dev.wisent.sharding.balance.BalancePolicy;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.GrowingEnd;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs rounds: reads, decides, and waits a while for the migrations. One that takes longer goes on;
 * its shards take part in no other one until it has ended. Of the thread of the balancer.
 */
final class BalancerRound {
  private static final int STALLED_LOG_ID = 9_000_560;
  private static final int FAILED_LOG_ID = 9_000_561;
  private static final int MOVED_LOG_ID = 9_000_562;

  /** How long a round waits: a shard that is down holds up its own migration only. */
  static final Duration WAIT_MAX = Duration.ofMinutes(2);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LoadReader reader;
  private final ChunkMoves moves;
  private final FailedMoves failed;
  private final DrainingMoves departures;
  private final DrainedCollections collections;
  private final DrainedDatabases databases;
  private final Defragmenter defragmenter;
  private final AutoMerger merger;
  private final BalancerFigures figures;
  private final Clock clock;
  private final Log log;

  /** The migrations that have not ended, also those of earlier rounds. Read by any thread. */
  private final Map<ChunkMove, CompletableFuture<RawDocument>> unfinished =
      new ConcurrentHashMap<>();

  /** Written by the thread of the balancer, read by any. */
  private volatile List<Stall> stalls = List.of();

  /** How many migrations of this round were of chunks that are split or marked now. */
  private int marked;

  BalancerRound(
      LoadReader reader,
      ChunkMoves moves,
      FailedMoves failed,
      DrainingMoves departures,
      DrainedCollections collections,
      DrainedDatabases databases,
      Defragmenter defragmenter,
      AutoMerger merger,
      BalancerFigures figures,
      Clock clock,
      Log log) {
    this.reader = reader;
    this.moves = moves;
    this.failed = failed;
    this.departures = departures;
    this.collections = collections;
    this.databases = databases;
    this.defragmenter = defragmenter;
    this.merger = merger;
    this.figures = figures;
    this.clock = clock;
    this.log = log;
  }

  RoundResult run(
      OperationContext operation, BalancerSettings settings, Map<String, GrowingEnd> ends) {
    marked = 0;
    // Before the load is read, and the shards that are busy: these migrations are in neither then.
    int moved = takeEnded(operation, List.copyOf(unfinished.keySet()));
    moved += departures.takeEnded(operation);
    Set<String> busy = inUse(operation).shards();
    ClusterLoad load = reader.read(operation, settings, ends);
    Map<String, RawDocument> fragmented = defragmenter.asked(operation);
    BalancePlan plan = BalancePolicy.plan(load, busy);
    tell(stallsOf(plan));
    figures.imbalanced.set(plan.imbalanced());
    var options = new ChunkMoves.Options(settings.waitForDelete());
    List<ChunkMove> chosen = moves(operation, load, plan, fragmented, busy);
    for (ChunkMove move : chosen) {
      figures.movesStarted.incrementAndGet();
      unfinished.put(move, start(move, options));
    }
    awaitSome(operation, chosen.stream().map(unfinished::get).toList());
    moved += takeEnded(operation, chosen);
    int others = depart(operation, load);
    moved += departures.takeEnded(operation);
    int merged = 0;
    if (settings.autoMerge()) {
      merged = merger.run(operation, load, chosen.size() + others > 0);
    } else {
      merger.forget();
    }
    return new RoundResult(
        chosen.size() + others,
        moved,
        marked + defragmenter.progress() + merged,
        plan.imbalanced());
  }

  /** What migrations under way have, also those that clients have asked for. */
  private InUse inUse(OperationContext operation) {
    InUse inUse = reader.migrating(operation);
    for (ChunkMove each : unfinished.keySet()) {
      inUse.shards().add(each.from());
      inUse.shards().add(each.to());
      inUse.add(each.namespace().full());
    }
    return inUse;
  }

  /**
   * Has databases and unsharded collections leave draining shards, as far as they would not wait
   * for a migration; returns how many have begun to.
   */
  private int depart(OperationContext operation, ClusterLoad load) {
    InUse inUse = inUse(operation);
    inUse.resources().addAll(reader.moving(operation));
    departures.begin(load, inUse);
    List<CompletableFuture<RawDocument>> begun =
        Stream.concat(
                collections.move(operation, load).stream(),
                databases.move(operation, load).stream())
            .toList();
    awaitSome(operation, begun);
    return begun.size();
  }

  /** What the plan cannot move, and what is not in the plan and should be. */
  private List<Stall> stallsOf(BalancePlan plan) {
    var all = new ArrayList<>(plan.stalls());
    all.addAll(reader.stalls());
    var failures = new HashMap<>(reader.failures());
    failures.putAll(plan.failures());
    figures.skipped.set(failures.size());
    failures.forEach((namespace, failure) -> all.add(Stall.unusable(namespace, failure)));
    return List.copyOf(all);
  }

  /** Waits until migrations have ended, or for as long as a round may take. */
  private void awaitSome(OperationContext operation, List<CompletableFuture<RawDocument>> some) {
    var all = CompletableFuture.allOf(some.toArray(CompletableFuture[]::new));
    long deadlineNanos = clock.monotonicNanos() + WAIT_MAX.toNanos();
    operation.await(nanos -> hasEnded(all, nanos) || deadlineNanos - clock.monotonicNanos() <= 0);
  }

  /** Whether a migration has ended, with whatever outcome, after a short wait. */
  private static boolean hasEnded(CompletableFuture<?> running, long nanos)
      throws InterruptedException {
    try {
      var unused = running.get(Math.min(nanos, LOOK_NANOS), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /** Notes what has come of those migrations that have ended; returns how many have moved. */
  private int takeEnded(OperationContext operation, List<ChunkMove> some) {
    int moved = 0;
    for (ChunkMove each : some) {
      CompletableFuture<RawDocument> running = unfinished.get(each);
      if (running.isDone()) {
        unfinished.remove(each);
        moved += hasMoved(operation, each, running) ? 1 : 0;
      }
    }
    return moved;
  }

  /**
   * Waits until the migrations have ended that are under way.
   *
   * @param isOver whether they are waited for no longer
   */
  void awaitUnfinished(OperationContext operation, BooleanSupplier isOver) {
    var all = new ArrayList<>(unfinished.values());
    all.addAll(departures.unfinished());
    for (CompletableFuture<RawDocument> each : all) {
      operation.await(nanos -> isOver.getAsBoolean() || hasEnded(each, nanos));
    }
  }

  /** A collection that is defragmented is not evened out meanwhile. */
  private List<ChunkMove> moves(
      OperationContext operation,
      ClusterLoad load,
      BalancePlan plan,
      Map<String, RawDocument> fragmented,
      Set<String> busy) {
    var chosen = new ArrayList<ChunkMove>();
    for (ChunkMove move : plan.moves()) {
      boolean misplaced =
          move.reason() == MoveReason.DRAINING || move.reason() == MoveReason.ZONE_VIOLATION;
      if ((misplaced || !fragmented.containsKey(move.namespace().full()))
          && !departures.isLeaving(move.namespace().database())) {
        chosen.add(move);
        busy.add(move.from());
        busy.add(move.to());
      }
    }
    chosen.addAll(defragmenter.step(operation, load, fragmented, busy));
    return chosen;
  }

  private CompletableFuture<RawDocument> start(ChunkMove move, ChunkMoves.Options options) {
    try {
      return moves.start(move, options);
    } catch (CommandException e) {
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(
          new CommandException(ErrorCode.INTERNAL_ERROR, e.toString()));
    }
  }

  /** Each state is told once. */
  private void tell(List<Stall> now) {
    figures.stalls.set(now.size());
    for (Stall stall : now) {
      if (!stalls.contains(stall)) {
        log.warn(
            STALLED_LOG_ID,
            "The balancer cannot move data where it belongs",
            "namespace",
            stall.namespace().full(),
            "reason",
            stall.violation(),
            "message",
            stall.message());
      }
    }
    stalls = now;
  }

  private boolean hasMoved(
      OperationContext operation, ChunkMove move, CompletableFuture<RawDocument> running) {
    try {
      var unused = Coordinators.await(operation, running);
    } catch (CommandException e) {
      operation.checkNow();
      // What was decided may have been decided by chunks that are not there any more.
      reader.clear();
      if (e.code() == ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS) {
        // The chunk was split or moved meanwhile: the next round looks at what it is now.
        figures.movesOutdated.incrementAndGet();
        return false;
      }
      // One that was too large is split or marked by now, and no longer the same.
      if (e.code() == ErrorCode.CHUNK_TOO_BIG) {
        marked++;
      } else if (e.code() == ErrorCode.DUPLICATE_KEY) {
        // Both shards own a document with the key: only its owner can say which is to go.
        failed.impossible(move);
      } else {
        failed.failed(move);
      }
      figures.movesFailed.incrementAndGet();
      log.warn(
          FAILED_LOG_ID,
          "A migration of the balancer has failed",
          "namespace",
          move.namespace().full(),
          "range",
          move.range(),
          "from",
          move.from(),
          "to",
          move.to(),
          "error",
          e.getMessage());
      return false;
    }
    failed.succeeded(move);
    figures.movesDone.incrementAndGet();
    log.info(
        MOVED_LOG_ID,
        "The balancer has moved a range",
        "namespace",
        move.namespace().full(),
        "range",
        move.range(),
        "from",
        move.from(),
        "to",
        move.to(),
        "reason",
        move.reason());
    return true;
  }

  /** How long it is until the auto-merger goes on; negative or zero where it can now. */
  long mergeDelayNanos() {
    return merger.delayNanos();
  }

  /** What the last round could not move. */
  List<Stall> stalls() {
    return stalls;
  }

  /** All ranges may be tried again. */
  void clearFailures() {
    failed.clear();
  }

  /** A new term begins. */
  void clear() {
    reader.clear();
    unfinished.clear();
    departures.clear();
    defragmenter.clear();
    merger.clear();
    failed.clear();
    stalls = List.of();
  }
}
