package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.Fragments;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Makes the chunks of collections fewer, in three phases: measure and merge, move small ones, merge
 * again. The phase is stored; what was measured is not, and the next primary measures again. Each
 * round does a bounded part. Of the thread of the balancer, but for {@link #remaining}.
 */
final class Defragmenter {
  private static final int PHASE_LOG_ID = 9_000_568;
  private static final int FAILED_LOG_ID = 9_000_569;

  /** So many runs are merged in one round. */
  private static final int MERGES_MAX = 100;

  private final ClusterMetadata metadata;
  private final ChunkMerges merges;
  private final BalancerFigures figures;
  private final Log log;
  private final Map<String, MeasuredChunks> measured = new HashMap<>();
  private final Map<String, Long> remaining = new ConcurrentHashMap<>();
  private int progress;

  Defragmenter(ClusterMetadata metadata, ChunkMerges merges, BalancerFigures figures) {
    this.metadata = metadata;
    this.merges = merges;
    this.figures = figures;
    this.log = metadata.log();
  }

  /** The collections that are to be defragmented, by name. */
  Map<String, RawDocument> asked(OperationContext operation) {
    RawDocument filter =
        new BsonBuilder().appendBoolean(DefragmentationPhase.ASKED, true).toDocument();
    var asked = new HashMap<String, RawDocument>();
    for (RawDocument each : metadata.store().find(operation, "collections", filter)) {
      asked.put(DocumentFields.text(each, "_id"), each);
    }
    measured.keySet().retainAll(asked.keySet());
    remaining.keySet().retainAll(asked.keySet());
    return asked;
  }

  /** How many chunks a phase has still to look at; null where that is not known yet. */
  Long remaining(String namespace) {
    return remaining.get(namespace);
  }

  /** What the last round has measured, merged or finished. */
  int progress() {
    return progress;
  }

  /**
   * Does the next part of each collection; returns the migrations that belong to it.
   *
   * @param busy shards that take part in a migration of this round already
   */
  List<ChunkMove> step(
      OperationContext operation,
      ClusterLoad load,
      Map<String, RawDocument> asked,
      Set<String> busy) {
    progress = 0;
    var moves = new ArrayList<ChunkMove>();
    for (CollectionLoad collection : load.collections()) {
      RawDocument document = asked.get(collection.namespace().full());
      if (document == null) {
        continue;
      }
      try {
        moves.addAll(step(operation, load.shards(), collection, document, busy));
      } catch (RuntimeException e) {
        // Also where its metadata cannot be used: others do not depend on it.
        operation.checkNow();
        log.warn(
            FAILED_LOG_ID,
            "A collection could not be defragmented in this round",
            "namespace",
            collection.namespace().full(),
            "error",
            e instanceof CommandException ? e.getMessage() : e.toString());
      }
    }
    return moves;
  }

  private List<ChunkMove> step(
      OperationContext operation,
      List<ShardLoad> shards,
      CollectionLoad collection,
      RawDocument document,
      Set<String> busy) {
    String namespace = collection.namespace().full();
    var sizes = measured.computeIfAbsent(namespace, name -> new MeasuredChunks(metadata.shards()));
    DefragmentationPhase phase = DefragmentationPhase.of(document);
    int before = sizes.size();
    Fragments fragments =
        sizes.measure(operation, shards, collection, DocumentFields.document(document, "key"));
    progress += Math.max(0, sizes.size() - before);
    if (fragments == null) {
      remaining.put(namespace, (long) collection.chunks().size() - sizes.size());
      return List.of();
    }
    return switch (phase) {
      case MERGE_AND_MEASURE -> {
        if (merge(operation, shards, collection, fragments) == 0) {
          enter(operation, document, DefragmentationPhase.MOVE_AND_MERGE);
        }
        yield List.of();
      }
      case MOVE_AND_MERGE -> {
        IntPredicate receives = shard -> receives(shards.get(shard));
        int left = fragments.toBeMoved(receives);
        remaining.put(namespace, (long) left);
        if (left == 0) {
          enter(operation, document, DefragmentationPhase.MERGE);
        }
        yield moves(shards, collection, fragments, receives, busy);
      }
      case MERGE -> {
        merge(operation, shards, collection, fragments);
        if (fragments.runs().isEmpty()) {
          end(operation, document);
        }
        yield List.of();
      }
    };
  }

  private static boolean receives(ShardLoad shard) {
    return shard.reachable()
        && !shard.draining()
        && (shard.maxBytes() == 0 || shard.dataBytes() < shard.maxBytes());
  }

  /** How many runs were merged. What has moved a short time ago is not merged yet. */
  private int merge(
      OperationContext operation,
      List<ShardLoad> shards,
      CollectionLoad collection,
      Fragments fragments) {
    String namespace = collection.namespace().full();
    int merged = 0;
    long left = 0;
    for (Fragments.Run run : fragments.runs()) {
      operation.checkNow();
      String shard = shards.get(fragments.chunks().get(run.from()).shard()).name();
      var range =
          new ChunkRange(
              fragments.chunks().get(run.from()).range().min(),
              fragments.chunks().get(run.to() - 1).range().max());
      if (merged < MERGES_MAX && merges.merge(operation, namespace, shard, range)) {
        merged++;
        figures.chunksMerged.addAndGet(run.size() - 1);
        measured.get(namespace).merged(fragments.chunks().subList(run.from(), run.to()), range);
      } else {
        left += run.size();
      }
    }
    remaining.put(namespace, left);
    progress += merged;
    return merged;
  }

  private static List<ChunkMove> moves(
      List<ShardLoad> shards,
      CollectionLoad collection,
      Fragments fragments,
      IntPredicate receives,
      Set<String> busy) {
    var moves = new ArrayList<ChunkMove>();
    IntPredicate free =
        shard -> !busy.contains(shards.get(shard).name()) && shards.get(shard).reachable();
    for (Fragments.Move each : fragments.moves(free, receives)) {
      if (collection.held().contains(each.chunk())) {
        continue;
      }
      String from = shards.get(fragments.chunks().get(each.chunk()).shard()).name();
      String to = shards.get(each.to()).name();
      busy.add(from);
      busy.add(to);
      moves.add(
          new ChunkMove(
              collection.namespace(),
              fragments.chunks().get(each.chunk()).range(),
              from,
              to,
              collection.chunkBytes(),
              collection.chunkBytes(),
              false,
              MoveReason.DEFRAGMENTATION));
    }
    return moves;
  }

  private void enter(
      OperationContext operation, RawDocument collection, DefragmentationPhase phase) {
    store(operation, collection, phase.storedIn(collection), phase.text());
  }

  private void end(OperationContext operation, RawDocument collection) {
    store(operation, collection, DefragmentationPhase.ended(collection), "finished");
    String namespace = DocumentFields.text(collection, "_id");
    measured.remove(namespace);
    remaining.remove(namespace);
  }

  private void store(
      OperationContext operation, RawDocument seen, RawDocument after, String phase) {
    String namespace = DocumentFields.text(seen, "_id");
    RawDocument details = new BsonBuilder().appendString("phase", phase).toDocument();
    metadata
        .writer()
        .change(
            operation,
            new CatalogWriter.Entry("defragmentCollection", namespace, details),
            change -> change.replace("collections", seen, after));
    progress++;
    log.info(
        PHASE_LOG_ID, "Defragmentation of a collection", "namespace", namespace, "phase", phase);
  }

  /** A new term begins. */
  void clear() {
    measured.clear();
    remaining.clear();
  }
}
