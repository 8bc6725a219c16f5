package dev.wisent.cluster.config.balancer;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs rounds: reads, decides, and waits for the migrations. Of the thread of the balancer. */
final class BalancerRound {
  private static final int STALLED_LOG_ID = 9_000_560;
  private static final int FAILED_LOG_ID = 9_000_561;
  private static final int MOVED_LOG_ID = 9_000_562;

  private final LoadReader reader;
  private final ChunkMoves moves;
  private final FailedMoves failed;
  private final DrainedCollections collections;
  private final DrainedDatabases databases;
  private final Defragmenter defragmenter;
  private final AutoMerger merger;
  private final BalancerFigures figures;
  private final Log log;
  private List<Stall> stalls = List.of();

  /** How many migrations of this round were of chunks that are split or marked now. */
  private int marked;

  BalancerRound(
      LoadReader reader,
      ChunkMoves moves,
      FailedMoves failed,
      DrainedCollections collections,
      DrainedDatabases databases,
      Defragmenter defragmenter,
      AutoMerger merger,
      BalancerFigures figures,
      Log log) {
    this.reader = reader;
    this.moves = moves;
    this.failed = failed;
    this.collections = collections;
    this.databases = databases;
    this.defragmenter = defragmenter;
    this.merger = merger;
    this.figures = figures;
    this.log = log;
  }

  RoundResult run(
      OperationContext operation, BalancerSettings settings, Map<String, GrowingEnd> ends) {
    ClusterLoad load = reader.read(operation, settings, ends);
    Map<String, RawDocument> fragmented = defragmenter.asked(operation);
    BalancePlan plan = BalancePolicy.plan(load);
    tell(plan.stalls());
    figures.imbalanced.set(plan.imbalanced());
    var options = new ChunkMoves.Options(settings.secondaryThrottle(), settings.waitForDelete());
    var running = new LinkedHashMap<ChunkMove, CompletableFuture<RawDocument>>();
    for (ChunkMove move : moves(operation, load, plan, fragmented)) {
      figures.movesStarted.incrementAndGet();
      running.put(move, start(move, options));
    }
    int moved = 0;
    marked = 0;
    for (Map.Entry<ChunkMove, CompletableFuture<RawDocument>> each : running.entrySet()) {
      moved += await(operation, each.getKey(), each.getValue()) ? 1 : 0;
    }
    int others = collections.move(operation, load) + databases.move(operation, load, plan);
    if (settings.autoMerge()) {
      if (merger.isDue()) {
        merger.look(operation, load);
      }
      merger.run(operation);
    }
    return new RoundResult(
        running.size() + others,
        moved + others,
        marked + defragmenter.progress(),
        plan.imbalanced());
  }

  /** A collection that is defragmented is not evened out meanwhile. */
  private List<ChunkMove> moves(
      OperationContext operation,
      ClusterLoad load,
      BalancePlan plan,
      Map<String, RawDocument> fragmented) {
    var chosen = new ArrayList<ChunkMove>();
    var busy = new HashSet<String>();
    for (ChunkMove move : plan.moves()) {
      boolean misplaced =
          move.reason() == MoveReason.DRAINING || move.reason() == MoveReason.ZONE_VIOLATION;
      if (misplaced || !fragmented.containsKey(move.namespace().full())) {
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
            stall.reason().violation(),
            "message",
            stall.message());
      }
    }
    stalls = now;
  }

  private boolean await(
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

  /** All ranges may be tried again. */
  void clearFailures() {
    failed.clear();
  }

  /** A new term begins. */
  void clear() {
    reader.clear();
    defragmenter.clear();
    merger.clear();
    failed.clear();
    stalls = List.of();
  }
}
