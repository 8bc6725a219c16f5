package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.HashedSplit;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.ZoneRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The first chunks of a collection with a new key. They are divided so that each has about the same
 * number of documents, as far as a sample tells, and given to the shards in turn. For one run.
 */
final class ReshardChunks {
  private static final int CHUNKS_DEFAULT = 90;
  private static final int CHUNKS_MAX = 10_000;
  private static final int SAMPLES_PER_CHUNK = 10;

  private final CatalogReads catalog;
  private final Participants participants;
  private final PhaseContext context;
  private final ShardKeyPattern key;
  private final RawDocument collection;
  private final List<String> donors;

  ReshardChunks(
      CatalogReads catalog,
      Participants participants,
      PhaseContext context,
      ShardKeyPattern key,
      RawDocument collection,
      List<String> donors) {
    this.catalog = catalog;
    this.participants = participants;
    this.context = context;
    this.key = key;
    this.collection = collection;
    this.donors = donors;
  }

  /** Adds the fields {@code chunks} and {@code zones}. */
  void append(BsonBuilder out) {
    List<ZoneRange> zones = zones();
    List<RawDocument> distribution =
        DocumentFields.documents(context.arguments(), "shardDistribution");
    boolean given = !distribution.isEmpty() && distribution.getFirst().get("min") != null;
    out.startArray("chunks");
    if (given) {
      appendGiven(distribution, out);
    } else {
      appendDivided(zones, shards(distribution), out);
    }
    out.end().startArray("zones");
    for (int i = 0; i < zones.size(); i++) {
      out.startDocument(i);
      zones.get(i).range().append(out);
      out.appendString("zone", zones.get(i).zone()).end();
    }
    out.end();
  }

  /** Those that are asked for; with the same key the collection keeps those that it has. */
  private List<ZoneRange> zones() {
    var zones = new ArrayList<ZoneRange>();
    boolean sameKey =
        key.pattern().equals(DocumentFields.document(collection, "key"))
            && context.arguments().get("zones") == null;
    List<RawDocument> documents =
        sameKey
            ? catalog.zones(context.operation(), context.resource())
            : DocumentFields.documents(context.arguments(), "zones");
    for (RawDocument each : documents) {
      RawDocument min = key.normalized(DocumentFields.document(each, "min"));
      RawDocument max = key.normalized(DocumentFields.document(each, "max"));
      if (min == null || max == null || ValueOrder.compare(min, max) >= 0) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "the zone %s is no range of the new key".formatted(each.toJson()));
      }
      zones.add(
          new ZoneRange(
              new ChunkRange(min, max), DocumentFields.text(each, sameKey ? "tag" : "zone")));
    }
    zones.sort(Comparator.comparing(zone -> zone.range().min(), ValueOrder::compare));
    for (int i = 1; i < zones.size(); i++) {
      if (ValueOrder.compare(zones.get(i - 1).range().max(), zones.get(i).range().min()) > 0) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "Zone ranges must not overlap: %s and %s"
                .formatted(zones.get(i - 1).range(), zones.get(i).range()));
      }
    }
    return zones;
  }

  private List<String> shards(List<RawDocument> distribution) {
    if (distribution.isEmpty()) {
      return CatalogReads.names(room().require());
    }
    List<String> staying = CatalogReads.names(catalog.stayingShards(context.operation()));
    var chosen = new ArrayList<String>();
    for (RawDocument each : distribution) {
      chosen.add(checked(DocumentFields.text(each, "shard"), staying));
    }
    return chosen;
  }

  private static String checked(String shard, List<String> staying) {
    if (!staying.contains(shard)) {
      throw new CommandException(
          ErrorCode.SHARD_NOT_FOUND, "Shard " + shard + " does not exist or is draining");
    }
    return shard;
  }

  private void appendGiven(List<RawDocument> distribution, BsonBuilder out) {
    List<String> staying = CatalogReads.names(catalog.stayingShards(context.operation()));
    var sorted = new ArrayList<>(distribution);
    sorted.sort(
        Comparator.comparing(
            each -> key.normalized(DocumentFields.document(each, "min")), ValueOrder::compare));
    RawDocument end = key.globalMin();
    for (int i = 0; i < sorted.size(); i++) {
      RawDocument max = key.normalized(DocumentFields.document(sorted.get(i), "max"));
      RawDocument min = key.normalized(DocumentFields.document(sorted.get(i), "min"));
      if (max == null || !end.equals(min)) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "Chunk ranges must be contiguous, and have all fields of the new key");
      }
      out.startDocument(i);
      new ChunkRange(end, max).append(out);
      String shard = checked(DocumentFields.text(sorted.get(i), "shard"), staying);
      out.appendString("shard", shard).end();
      end = max;
    }
    if (!end.equals(key.globalMax())) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Chunk ranges must end at the greatest key");
    }
  }

  private void appendDivided(List<ZoneRange> zones, List<String> shards, BsonBuilder out) {
    var points = new TreeSet<RawDocument>(ValueOrder::compare);
    points.addAll(points());
    for (ZoneRange zone : zones) {
      points.add(zone.range().min());
      points.add(zone.range().max());
    }
    points.remove(key.globalMin());
    points.add(key.globalMax());
    Map<String, List<String>> members = zones.isEmpty() ? Map.of() : room().ofZones();
    var turns = new HashMap<String, Integer>();
    RawDocument min = key.globalMin();
    int i = 0;
    for (RawDocument max : points) {
      String zone = zoneOf(zones, min);
      List<String> owners = zone == null ? shards : owners(zone, members);
      int turn = turns.merge(zone == null ? "" : zone, 1, Integer::sum) - 1;
      out.startDocument(i++);
      new ChunkRange(min, max).append(out);
      out.appendString("shard", owners.get(turn % owners.size())).end();
      min = max;
    }
  }

  private static String zoneOf(List<ZoneRange> zones, RawDocument min) {
    for (ZoneRange zone : zones) {
      if (ValueOrder.compare(zone.range().min(), min) <= 0
          && ValueOrder.compare(min, zone.range().max()) < 0) {
        return zone.zone();
      }
    }
    return null;
  }

  private static List<String> owners(String zone, Map<String, List<String>> members) {
    List<String> owners = members.getOrDefault(zone, List.of());
    if (owners.isEmpty()) {
      throw new CommandException(
          ErrorCode.ZONE_NOT_FOUND, "no shard that stays is in the zone " + zone);
    }
    return owners;
  }

  private ShardsWithRoom room() {
    return new ShardsWithRoom(catalog, participants, context);
  }

  private List<RawDocument> points() {
    long wanted = DocumentFields.number(context.arguments(), "numInitialChunks");
    if (wanted > CHUNKS_MAX) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "numInitialChunks cannot be more than " + CHUNKS_MAX);
    }
    int count = wanted == 0 ? CHUNKS_DEFAULT : (int) wanted;
    if (key.hasHashedPrefix()) {
      return HashedSplit.points(key, RawDocument.EMPTY, count);
    }
    List<RawDocument> sample = sample(count);
    var points = new ArrayList<RawDocument>();
    for (int i = 1; i < count && !sample.isEmpty(); i++) {
      points.add(sample.get((int) ((long) i * sample.size() / count)));
    }
    return points;
  }

  /** New keys of some documents, ascending. */
  private List<RawDocument> sample(int chunks) {
    Namespace namespace = Namespace.parse(context.resource());
    var counts = new HashMap<String, Long>();
    donors.forEach(
        donor -> counts.put(donor, participants.count(context.operation(), donor, namespace)));
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long perChunk = DocumentFields.number(context.arguments(), "numSamplesPerChunk");
    long wanted = chunks * (perChunk == 0 ? SAMPLES_PER_CHUNK : perChunk);
    var keys = new ArrayList<RawDocument>();
    for (String donor : donors) {
      if (counts.get(donor) > 0) {
        keys.addAll(sample(donor, namespace, 1 + wanted * counts.get(donor) / all));
      }
    }
    keys.sort(Comparator.comparing(key::encode, Arrays::compareUnsigned));
    return keys;
  }

  private List<RawDocument> sample(String donor, Namespace namespace, long size) {
    List<RawDocument> sampled =
        participants.readAll(
            context.operation(),
            donor,
            namespace.database(),
            out -> {
              out.appendString("aggregate", namespace.collection());
              out.startArray("pipeline").startDocument(0).startDocument("$sample");
              out.appendInt64("size", size).end().end();
              out.startDocument(1)
                  .startDocument("$project")
                  .appendInt32("_id", key.has("_id") ? 1 : 0);
              key.fields().stream()
                  .map(field -> field.path().dotted())
                  .filter(name -> !name.equals("_id"))
                  .forEach(name -> out.appendInt32(name, 1));
              out.end().end().end();
              out.startDocument("cursor").end();
            });
    return sampled.stream().map(key::keyOf).toList();
  }
}
