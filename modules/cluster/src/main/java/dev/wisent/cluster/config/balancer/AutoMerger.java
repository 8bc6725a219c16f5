package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Merges small neighbours in the background: now and then all collections. The shards of one
 * collection come one after the other, with pauses between them. The next look at all collections
 * is when all that the one before has found is done. What it makes is at most half as large as a
 * chunk may be, so that the next write does not split it again. Of the thread of the balancer.
 */
final class AutoMerger {
  private static final int MERGED_LOG_ID = 9_000_566;
  private static final int FAILED_LOG_ID = 9_000_567;

  /** How many chunks of a collection are merged on a shard in one go. */
  private static final long CHUNKS_MAX = 5_000;

  /** How many pieces of work are done in one round. */
  private static final int PIECES_MAX = 100;

  private final CatalogStore store;
  private final ChunkMerges merges;
  private final BalancerParameters parameters;
  private final BalancerFigures figures;
  private final Clock clock;
  private final Log log;
  private final Deque<Work> waiting = new ArrayDeque<>();

  /** When collections were merged, of those that are left alone. */
  private final Map<String, Long> mergedNanos = new HashMap<>();

  private long nextLookNanos;

  private record Work(String namespace, String shard, long groupMax) {}

  AutoMerger(
      CatalogStore store,
      ChunkMerges merges,
      BalancerParameters parameters,
      BalancerFigures figures,
      Clock clock,
      Log log) {
    this.store = store;
    this.merges = merges;
    this.parameters = parameters;
    this.figures = figures;
    this.clock = clock;
    this.log = log;
    clear();
  }

  /**
   * Does the pieces of work for which it is time; how many chunks there are less.
   *
   * @param busy whether something else changes chunks in this round: one piece is enough then
   */
  int run(OperationContext operation, ClusterLoad load, boolean busy) {
    if (waiting.isEmpty()) {
      look(load);
    }
    int merged = 0;
    int left = busy ? 1 : PIECES_MAX;
    for (Work work : List.copyOf(waiting)) {
      if (left == 0) {
        break;
      }
      if (delayNanos(work) <= 0) {
        waiting.remove(work);
        merged += merge(operation, work);
        left--;
      }
    }
    return merged;
  }

  /** Finds out what can be merged, if it is time for it. */
  private void look(ClusterLoad load) {
    if (clock.monotonicNanos() - nextLookNanos < 0) {
      return;
    }
    nextLookNanos = afterInterval();
    mergedNanos.values().removeIf(last -> delayNanos(last) <= 0);
    for (CollectionLoad collection : load.collections()) {
      add(load, collection);
    }
  }

  private boolean isExcluded(OperationContext operation, String namespace) {
    RawDocument found = store.findById(operation, "collections", namespace);
    RawValue enabled = found == null ? RawValue.FALSE : found.get("enableAutoMerge");
    return enabled != null && !enabled.isTruthy();
  }

  private void add(ClusterLoad load, CollectionLoad collection) {
    var chunks = new long[load.shards().size()];
    var neighbours = new boolean[chunks.length];
    for (int i = 0; i < collection.chunks().size(); i++) {
      int shard = collection.chunks().shard(i);
      chunks[shard]++;
      neighbours[shard] |= i > 0 && collection.chunks().shard(i - 1) == shard;
    }
    for (int i = 0; i < chunks.length; i++) {
      ShardLoad shard = load.shards().get(i);
      if (neighbours[i] && shard.reachable()) {
        long average = Math.max(1, collection.sizes().bytes(i) / chunks[i]);
        long together = collection.chunkBytes() / 2 / average;
        if (together > 1) {
          waiting.add(new Work(collection.namespace().full(), shard.name(), together));
        }
      }
    }
  }

  private int merge(OperationContext operation, Work work) {
    try {
      if (isExcluded(operation, work.namespace)) {
        return 0;
      }
      long merged =
          merges.merge(
              operation,
              work.namespace,
              work.shard,
              new ChunkMerges.Bounds(work.groupMax, CHUNKS_MAX));
      if (merged > 0) {
        figures.chunksMerged.addAndGet(merged);
        mergedNanos.put(work.namespace, clock.monotonicNanos());
        log.info(
            MERGED_LOG_ID,
            "Merged small chunks",
            "namespace",
            work.namespace,
            "shard",
            work.shard,
            "merged",
            merged);
      }
      return (int) merged;
    } catch (RuntimeException e) {
      operation.checkNow();
      log.warn(
          FAILED_LOG_ID,
          "Could not merge small chunks",
          "namespace",
          work.namespace,
          "shard",
          work.shard,
          "error",
          e instanceof CommandException ? e.getMessage() : e.toString());
      return 0;
    }
  }

  /** How long a collection is left alone, as it was merged a short time ago. */
  private long delayNanos(Work work) {
    Long last = mergedNanos.get(work.namespace);
    return last == null ? 0 : delayNanos(last);
  }

  private long delayNanos(long lastNanos) {
    long pause = TimeUnit.MILLISECONDS.toNanos(parameters.autoMergerThrottlingMillis());
    return lastNanos + pause - clock.monotonicNanos();
  }

  /** How long it is until there is work to do; not positive where there is some now. */
  long delayNanos() {
    return waiting.stream().mapToLong(this::delayNanos).min().orElse(Long.MAX_VALUE);
  }

  /** Forgets what is still to be done. */
  void forget() {
    waiting.clear();
    mergedNanos.clear();
  }

  private long afterInterval() {
    return clock.monotonicNanos()
        + TimeUnit.SECONDS.toNanos(parameters.autoMergerIntervalSeconds());
  }

  /** A new term begins: the first look is after one interval. */
  void clear() {
    forget();
    nextLookNanos = afterInterval();
  }
}
