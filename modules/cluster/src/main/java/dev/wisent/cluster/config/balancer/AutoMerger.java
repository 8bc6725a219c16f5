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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Merges small neighbours in the background: now and then all collections, one shard after the
 * other, with pauses between them. What it makes is at most half as large as a chunk may be, so
 * that the next write does not split it again. Of the thread of the balancer.
 */
final class AutoMerger {
  private static final int MERGED_LOG_ID = 9_000_566;
  private static final int FAILED_LOG_ID = 9_000_567;

  /** How many chunks of a collection are merged on a shard in one go. */
  private static final long CHUNKS_MAX = 5_000;

  private final CatalogStore store;
  private final ChunkMerges merges;
  private final BalancerParameters parameters;
  private final BalancerFigures figures;
  private final Clock clock;
  private final Log log;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private long nextLookNanos;
  private long nextMergeNanos;

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

  /** Whether a round should read the load for it. */
  boolean isDue() {
    return clock.monotonicNanos() - nextLookNanos >= 0;
  }

  /** Finds out what can be merged. */
  void look(OperationContext operation, ClusterLoad load) {
    nextLookNanos =
        clock.monotonicNanos() + TimeUnit.SECONDS.toNanos(parameters.autoMergerIntervalSeconds());
    waiting.clear();
    Set<String> excluded = excluded(operation);
    for (CollectionLoad collection : load.collections()) {
      if (!excluded.contains(collection.namespace().full())) {
        add(load, collection);
      }
    }
  }

  private Set<String> excluded(OperationContext operation) {
    var names = new HashSet<String>();
    for (RawDocument each : store.find(operation, "collections", RawDocument.EMPTY)) {
      RawValue enabled = each.get("enableAutoMerge");
      if (enabled != null && !enabled.isTruthy()) {
        names.add(each.get("_id").asString());
      }
    }
    return names;
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

  /** Does the next piece of work, if it is time for it. */
  void run(OperationContext operation) {
    Work work = clock.monotonicNanos() - nextMergeNanos < 0 ? null : waiting.poll();
    if (work == null) {
      return;
    }
    try {
      long merged =
          merges.merge(
              operation,
              work.namespace,
              work.shard,
              new ChunkMerges.Bounds(work.groupMax, CHUNKS_MAX));
      if (merged > 0) {
        figures.chunksMerged.addAndGet(merged);
        nextMergeNanos =
            clock.monotonicNanos()
                + TimeUnit.MILLISECONDS.toNanos(parameters.autoMergerThrottlingMillis());
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
    } catch (CommandException e) {
      operation.checkNow();
      log.warn(
          FAILED_LOG_ID,
          "Could not merge small chunks",
          "namespace",
          work.namespace,
          "shard",
          work.shard,
          "error",
          e.getMessage());
    }
  }

  boolean hasWork() {
    return !waiting.isEmpty() && clock.monotonicNanos() - nextMergeNanos >= 0;
  }

  /** A new term begins: the first look is after one interval. */
  void clear() {
    waiting.clear();
    nextMergeNanos = clock.monotonicNanos();
    nextLookNanos =
        clock.monotonicNanos() + TimeUnit.SECONDS.toNanos(parameters.autoMergerIntervalSeconds());
  }
}
