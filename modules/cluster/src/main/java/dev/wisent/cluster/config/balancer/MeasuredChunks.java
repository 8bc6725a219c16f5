package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ZoneRange;
import dev.wisent.sharding.balance.ChunkView;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.Fragments;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How large the chunks of a collection are, as their shards tell. Of the thread of the balancer.
 */
final class MeasuredChunks {
  /** So many chunks are measured in one round. */
  private static final int MEASURED_TOGETHER = 500;

  private final ShardCaller shards;
  private Map<ChunkRange, Long> bytes = new HashMap<>();

  MeasuredChunks(ShardCaller shards) {
    this.shards = shards;
  }

  /** How many chunks are measured. */
  int size() {
    return bytes.size();
  }

  /** Knows the size of a chunk that was made of others. */
  void merged(List<Fragments.Fragment> parts, ChunkRange range) {
    bytes.put(range, parts.stream().mapToLong(Fragments.Fragment::bytes).sum());
  }

  /** Measures chunks whose size is not known; null where some are left. */
  Fragments measure(
      OperationContext operation,
      List<ShardLoad> loads,
      CollectionLoad collection,
      RawDocument key) {
    var known = new HashMap<ChunkRange, Long>();
    var fragments = new ArrayList<Fragments.Fragment>();
    ChunkView chunks = collection.chunks();
    Set<RawDocument> borders = borders(collection);
    Set<Integer> crossed = crossed(chunks, borders);
    int asked = 0;
    for (int i = 0; i < chunks.size(); i++) {
      ChunkRange range = chunks.range(i);
      Long size = bytes.get(range);
      ShardLoad shard = loads.get(chunks.shard(i));
      if (size == null && asked < MEASURED_TOGETHER && shard.reachable()) {
        asked++;
        size = ask(operation, shard.name(), collection, key, range);
      }
      if (size != null) {
        known.put(range, size);
        boolean fixed = chunks.isJumbo(i) || crossed.contains(i);
        fragments.add(new Fragments.Fragment(range, chunks.shard(i), size, fixed));
      }
    }
    bytes = known;
    return fragments.size() == chunks.size()
        ? new Fragments(fragments, borders, collection.chunkBytes())
        : null;
  }

  private static Set<RawDocument> borders(CollectionLoad collection) {
    var borders = new HashSet<RawDocument>();
    for (ZoneRange zone : collection.zones()) {
      borders.add(zone.range().min());
      borders.add(zone.range().max());
    }
    return borders;
  }

  /** The chunks that have the border of a zone inside; the balancer cuts them there. */
  private static Set<Integer> crossed(ChunkView chunks, Set<RawDocument> borders) {
    var crossed = new HashSet<Integer>();
    for (RawDocument border : borders) {
      int chunk = chunks.indexOf(border);
      ChunkRange range = chunks.range(chunk);
      if (ValueOrder.compare(range.min(), border) < 0
          && ValueOrder.compare(border, range.max()) < 0) {
        crossed.add(chunk);
      }
    }
    return crossed;
  }

  private long ask(
      OperationContext operation,
      String shard,
      CollectionLoad collection,
      RawDocument key,
      ChunkRange range) {
    var command = new BsonBuilder().appendString("dataSize", collection.namespace().full());
    command.appendDocument("keyPattern", key);
    range.append(command);
    command.appendBoolean("estimate", true);
    return DocumentFields.number(
        shards.run(operation, shard, collection.namespace().database(), command.toDocument()),
        "size");
  }
}
