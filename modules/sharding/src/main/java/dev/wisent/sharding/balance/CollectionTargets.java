package dev.wisent.sharding.balance;

import dev.wisent.sharding.ZoneRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Where the data of a collection is, by zone, and where it should be.
 *
 * <p>The data of a zone is for the shards of the zone, what is in none for all. The zones with the
 * fewest shards come first; each next one evens out what those before it have left uneven. Data
 * that has to move is what a shard has above its target: no distribution that is as even can be
 * reached with less.
 */
final class CollectionTargets {
  private final List<ShardLoad> shards;
  private final CollectionLoad load;
  private final List<ZoneSegment> segments;
  private final List<ZonePlacement> zones;

  CollectionTargets(List<ShardLoad> shards, CollectionLoad load) {
    this.shards = shards;
    this.load = load;
    this.segments = ZoneSegment.of(load.chunks(), load.zones());
    var byName = new LinkedHashMap<String, ZonePlacement>();
    for (ZoneRange zone : load.zones()) {
      byName.computeIfAbsent(zone.zone(), name -> new ZonePlacement(name, shards.size()));
    }
    byName.computeIfAbsent(null, name -> new ZonePlacement(null, shards.size()));
    segments.forEach(segment -> place(segment, byName));
    this.zones = new ArrayList<>(byName.values());
    setBytes();
    setTargets();
  }

  private void place(ZoneSegment segment, Map<String, ZonePlacement> byName) {
    ChunkView chunks = load.chunks();
    ZonePlacement placement = byName.get(segment.zone());
    for (int chunk = segment.first(); chunk <= segment.last(); chunk++) {
      int shard = chunks.shard(chunk);
      double share = segment.share(chunks, chunk);
      if (!load.held().isEmpty() && load.held().contains(chunk)) {
        placement.addHeld(shard, share);
      } else if (chunks.isJumbo(chunk)) {
        placement.addJumbo(shard, chunk, segment, share);
      } else {
        placement.add(shard, chunk, segment, share);
      }
    }
  }

  private void setBytes() {
    for (int shard = 0; shard < shards.size(); shard++) {
      double chunks = 0;
      for (ZonePlacement zone : zones) {
        chunks += zone.chunks[shard];
      }
      for (ZonePlacement zone : zones) {
        if (zone.chunks[shard] > 0) {
          OptionalLong known = load.sizes().bytesInZone(shard, zone.zone);
          zone.bytes[shard] =
              known.isPresent()
                  ? known.getAsLong()
                  : load.sizes().bytes(shard) * (zone.chunks[shard] / chunks);
        }
      }
    }
  }

  private void setTargets() {
    zones.sort(
        Comparator.comparingInt(
            zone -> zone.zone == null ? Integer.MAX_VALUE : members(zone).length));
    var filled = new double[shards.size()];
    for (ZonePlacement zone : zones) {
      int[] members = members(zone);
      if (members.length == 0) {
        zone.targets = zone.bytes;
        continue;
      }
      var floors = new double[members.length];
      var capacities = new double[members.length];
      for (int i = 0; i < members.length; i++) {
        long headroom = shards.get(members[i]).headroom();
        floors[i] = filled[members[i]];
        capacities[i] =
            headroom == Long.MAX_VALUE
                ? Double.POSITIVE_INFINITY
                : zone.bytes[members[i]] + headroom;
      }
      double[] shares = WaterLevel.fill(zone.total(), floors, capacities);
      zone.targets = new double[shards.size()];
      for (int i = 0; i < members.length; i++) {
        zone.targets[members[i]] = shares[i];
        filled[members[i]] += shares[i];
      }
    }
  }

  /** The shards that the data of a zone is for. */
  int[] members(ZonePlacement zone) {
    return IntStream.range(0, shards.size())
        .filter(shard -> !shards.get(shard).draining() && isIn(zone, shard))
        .toArray();
  }

  private boolean isIn(ZonePlacement zone, int shard) {
    return zone.zone == null || shards.get(shard).zones().contains(zone.zone);
  }

  /** Why what a shard has of a zone has to go away; null where it may stay. */
  MoveReason misplacement(ZonePlacement zone, int shard) {
    if (zone.chunks[shard] == 0) {
      return null;
    }
    if (shards.get(shard).draining()) {
      return MoveReason.DRAINING;
    }
    return isIn(zone, shard) ? null : MoveReason.ZONE_VIOLATION;
  }

  List<ZonePlacement> zones() {
    return zones;
  }

  /** The zone of the first or the last chunk. */
  ZonePlacement zoneAt(ZoneSegment segment) {
    for (ZonePlacement zone : zones) {
      if (Objects.equals(zone.zone, segment.zone())) {
        return zone;
      }
    }
    throw new IllegalStateException("a segment of an unknown zone");
  }

  List<ZoneSegment> segments() {
    return segments;
  }

  CollectionLoad load() {
    return load;
  }
}
