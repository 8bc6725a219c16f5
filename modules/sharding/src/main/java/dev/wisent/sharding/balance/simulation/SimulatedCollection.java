package dev.wisent.sharding.balance.simulation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ZoneRange;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.ChunkView;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.CollectionSizes;
import dev.wisent.sharding.balance.GrowingEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A collection with the shard key {@code {k: 1}}, whose data is spread evenly in each chunk. */
public final class SimulatedCollection implements ChunkView, CollectionSizes {
  private final Namespace namespace;
  private final long chunkBytes;
  private final List<SimulatedChunk> chunks;
  private long[] bytes;
  private List<ZoneRange> zones = List.of();
  private GrowingEnd growingEnd = GrowingEnd.NONE;

  /**
   * @param chunks in order, from the least of all keys on
   */
  public SimulatedCollection(
      String name, long chunkBytes, int shards, List<SimulatedChunk> chunks) {
    this.namespace = Namespace.parse(name);
    this.chunkBytes = chunkBytes;
    this.chunks = new ArrayList<>(chunks);
    this.bytes = new long[shards];
    chunks.forEach(chunk -> bytes[chunk.shard] += chunk.bytes);
  }

  /** The bound of a chunk or zone. */
  public static RawDocument key(long value) {
    var out = new BsonBuilder(16);
    if (value == SimulatedChunk.LEAST) {
      out.append("k", RawValue.MIN_KEY);
    } else if (value == Long.MAX_VALUE) {
      out.append("k", RawValue.MAX_KEY);
    } else {
      out.appendInt64("k", value);
    }
    return out.toDocument();
  }

  private static long value(RawDocument key) {
    RawValue value = key.get("k");
    return switch (value.type()) {
      case ElementType.MIN_KEY -> SimulatedChunk.LEAST;
      case ElementType.MAX_KEY -> Long.MAX_VALUE;
      default -> value.toLong();
    };
  }

  public static ZoneRange zone(long min, long max, String name) {
    return new ZoneRange(new ChunkRange(key(min), key(max)), name);
  }

  public void zones(List<ZoneRange> ranges) {
    zones = List.copyOf(ranges);
  }

  void growingEnd(GrowingEnd end) {
    growingEnd = end;
  }

  Namespace namespace() {
    return namespace;
  }

  List<SimulatedChunk> chunks() {
    return chunks;
  }

  long chunkBytes() {
    return chunkBytes;
  }

  /** For one more shard. */
  void addShard() {
    bytes = Arrays.copyOf(bytes, bytes.length + 1);
  }

  void add(SimulatedChunk chunk, long more) {
    chunk.bytes += more;
    bytes[chunk.shard] += more;
  }

  /** Replaces each chunk by its parts. */
  void replaceAll(UnaryOperator<List<SimulatedChunk>> parts) {
    List<SimulatedChunk> after = parts.apply(List.copyOf(chunks));
    chunks.clear();
    chunks.addAll(after);
  }

  CollectionLoad load() {
    return new CollectionLoad(
        namespace, chunkBytes, this, this, zones, Set.of(), growingEnd, false);
  }

  @Override
  public int size() {
    return chunks.size();
  }

  @Override
  public int shard(int chunk) {
    return chunks.get(chunk).shard;
  }

  @Override
  public boolean isJumbo(int chunk) {
    return chunks.get(chunk).jumbo;
  }

  @Override
  public ChunkRange range(int chunk) {
    return new ChunkRange(key(chunks.get(chunk).min), key(max(chunk)));
  }

  private long max(int chunk) {
    return chunk + 1 < chunks.size() ? chunks.get(chunk + 1).min : Long.MAX_VALUE;
  }

  @Override
  public int indexOf(RawDocument key) {
    return indexOf(value(key));
  }

  private int indexOf(long key) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).min <= key) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public long bytes(int shard) {
    return bytes[shard];
  }

  @Override
  public OptionalLong bytesInZone(int shard, String zone) {
    if (zones.isEmpty()) {
      return OptionalLong.of(bytes[shard]);
    }
    double sum = 0;
    for (int i = 0; i < chunks.size(); i++) {
      if (chunks.get(i).shard == shard) {
        double width = (double) max(i) - chunks.get(i).min;
        double inZones = 0;
        double here = 0;
        for (ZoneRange each : zones) {
          double part = overlap(i, value(each.range().min()), value(each.range().max()));
          inZones += part;
          here += each.zone().equals(zone) ? part : 0;
        }
        sum += chunks.get(i).bytes * ((zone == null ? width - inZones : here) / width);
      }
    }
    return OptionalLong.of(Math.round(sum));
  }

  private double overlap(int chunk, long min, long max) {
    double from = Math.max(min, chunks.get(chunk).min);
    double to = Math.min(max, max(chunk));
    return Math.max(0, to - from);
  }

  /** What a migration has done. */
  record Moved(long bytes, boolean back) {}

  /** Carries out a migration. */
  Moved move(ChunkMove move, int to) {
    long min = value(move.range().min());
    int at = indexOf(min);
    if (chunks.get(at).min != min) {
      cut(at, min);
      at++;
    }
    long max = value(move.range().max());
    if (max < max(at)) {
      cut(at, max);
    }
    SimulatedChunk chunk = chunks.get(at);
    if (chunk.bytes > move.bytes() && !chunk.jumbo) {
      double part = (double) move.bytes() / chunk.bytes;
      cut(at, (long) (chunk.min + ((double) max(at) - chunk.min) * part));
    }
    int from = chunk.shard;
    boolean back = chunk.moveTo(to);
    bytes[from] -= chunk.bytes;
    bytes[to] += chunk.bytes;
    return new Moved(chunk.bytes, back);
  }

  /** Cuts a chunk in two at a key, which may not be one of its bounds. */
  private void cut(int at, long key) {
    SimulatedChunk chunk = chunks.get(at);
    if (key <= chunk.min || key >= max(at)) {
      return;
    }
    double behind = ((double) max(at) - key) / ((double) max(at) - chunk.min);
    chunks.add(at + 1, chunk.cut(key, Math.round(chunk.bytes * behind)));
  }
}
