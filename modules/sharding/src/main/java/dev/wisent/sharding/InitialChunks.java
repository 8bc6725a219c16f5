package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chunks of a collection that is being sharded, with the versions 1|0, 1|1, and so on.
 *
 * <p>A collection with documents, or with a key that does not begin with a hash, is one chunk on
 * the primary shard of its database. The hashes of an empty one are divided among all shards. An
 * empty collection with zones has a chunk for each zone and for each gap between zones.
 *
 * @param version the version of the first chunk
 * @param primary the shard that has the documents
 * @param shards all shards that may have chunks, in the order in which they get them
 * @param zones ascending, with all fields of the key
 * @param shardsOfZone the shards of each zone
 */
public record InitialChunks(
    Namespace namespace,
    ShardKeyPattern key,
    ChunkVersion version,
    String primary,
    List<String> shards,
    List<ZoneRange> zones,
    Map<String, List<String>> shardsOfZone) {
  public InitialChunks {
    shards = List.copyOf(shards);
    zones = List.copyOf(zones);
    shardsOfZone = Map.copyOf(shardsOfZone);
  }

  /**
   * The chunks.
   *
   * @param empty whether the collection has no documents
   * @param count {@code numInitialChunks}; 0 for one on each shard
   * @param presplitHashedZones whether each zone is divided among its shards
   */
  public List<Chunk> of(boolean empty, int count, boolean presplitHashedZones) {
    if (count != 0 && !(empty && key.isHashed())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "numInitialChunks is only supported when the collection is empty and has a hashed field"
              + " in the shard key pattern");
    }
    if (count != 0 && !key.hasHashedPrefix() && !presplitHashedZones) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "When the prefix of the hashed shard key is a range field, 'numInitialChunks' can only be"
              + " used when the 'presplitHashedZones' is true");
    }
    if (presplitHashedZones) {
      PresplitCheck.check(key, zones, empty);
      return ofZones(true);
    }
    if (!empty) {
      return atPoints(List.of());
    }
    if (!zones.isEmpty()) {
      return ofZones(false);
    }
    if (!key.hasHashedPrefix()) {
      return atPoints(List.of());
    }
    int chunks = count == 0 ? shards.size() : count;
    return divided(HashedSplit.points(key, RawDocument.EMPTY, chunks));
  }

  /**
   * The chunks of a collection whose documents stay where they are, on the primary shard.
   *
   * @param points where chunks begin, ascending
   */
  public List<Chunk> atPoints(List<RawDocument> points) {
    var out = new ChunkList();
    points.forEach(point -> out.add(point, primary));
    out.add(key.globalMax(), primary);
    return out.chunks;
  }

  /** Neighbours on one shard, if there are more chunks than shards. */
  private List<Chunk> divided(List<RawDocument> points) {
    int chunks = points.size() + 1;
    int together = Math.max(chunks / shards.size(), 1);
    var out = new ChunkList();
    for (int i = 0; i < chunks; i++) {
      RawDocument max = i < points.size() ? points.get(i) : key.globalMax();
      out.add(max, shards.get(i / together % shards.size()));
    }
    return out.chunks;
  }

  private List<Chunk> ofZones(boolean presplit) {
    var out = new ChunkList();
    var turns = new HashMap<String, Integer>();
    int gaps = 0;
    for (ZoneRange zone : zones) {
      if (ValueOrder.compare(out.end, zone.range().min()) < 0) {
        out.add(zone.range().min(), shards.get(gaps++ % shards.size()));
      }
      List<String> owners = owners(zone);
      if (presplit) {
        List<RawDocument> points = HashedSplit.points(key, zone.range().min(), owners.size());
        for (int i = 0; i < points.size(); i++) {
          out.add(points.get(i), owners.get(i));
        }
        out.add(zone.range().max(), owners.getLast());
      } else {
        int turn = turns.merge(zone.zone(), 1, Integer::sum) - 1;
        out.add(zone.range().max(), owners.get(turn % owners.size()));
      }
    }
    if (ValueOrder.compare(out.end, key.globalMax()) < 0) {
      out.add(key.globalMax(), shards.get(gaps % shards.size()));
    }
    return out.chunks;
  }

  private List<String> owners(ZoneRange zone) {
    List<String> owners = shardsOfZone.getOrDefault(zone.zone(), List.of());
    if (owners.isEmpty()) {
      throw new CommandException(
          ErrorCode.ZONE_WITHOUT_SHARD,
          "Cannot shard collection "
              + namespace
              + " due to zone "
              + zone.zone()
              + " which is not assigned to a shard. Please assign this zone to a shard.");
    }
    return owners;
  }

  /** Chunks, each from the end of the one before. */
  private final class ChunkList {
    private final List<Chunk> chunks = new ArrayList<>();
    private RawDocument end = key.globalMin();
    private ChunkVersion next = version;

    void add(RawDocument max, String shard) {
      chunks.add(new Chunk(new ChunkRange(end, max), shard, next, false));
      end = max;
      next = next.nextMinor();
    }
  }
}
