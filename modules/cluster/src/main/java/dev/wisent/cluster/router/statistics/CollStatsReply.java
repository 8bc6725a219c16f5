package dev.wisent.cluster.router.statistics;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code collStats} over all shards: sums, and the figures of each shard. */
final class CollStatsReply {
  private static final String SCALE = "scale";
  private static final String INDEX_SIZES = "indexSizes";

  /** In bytes, which the scale divides. */
  private static final Set<String> SIZES =
      Set.of("size", "maxSize", "storageSize", "freeStorageSize", "totalIndexSize", "totalSize");

  private static final Set<String> SUMS =
      Set.of("count", "size", "storageSize", "totalIndexSize", "totalSize", "numOrphanDocs");

  /** All shards say the same of them. */
  private static final Set<String> OF_THE_FIRST = Set.of("capped", "max");

  private final long scale;
  private final Map<String, Long> sums = new TreeMap<>();
  private final Map<String, Long> indexSizes = new TreeMap<>();
  private double bytes;
  private long indexes;
  private long sizeMax;
  private boolean differ;

  private CollStatsReply(long scale) {
    this.scale = scale;
  }

  /** Without a scale that is in order: sums are made of bytes. What is not, a shard refuses. */
  static RawDocument unscaled(RawDocument command) {
    return scaleOf(command) > 0 ? command.without(Set.of(SCALE)) : command;
  }

  private static long scaleOf(RawDocument command) {
    RawValue given = command.get(SCALE);
    if (given == null) {
      return 1;
    }
    return given.isNumber() && given.toLong() >= 1 ? given.toLong() : 0;
  }

  static void append(GatheredCommands.Gathered gathered, BsonBuilder reply) {
    boolean sharded = gathered.routing() != null && !gathered.routing().unsplittable();
    gathered.replies().forEach(ShardReply::get);
    var merged = new CollStatsReply(Math.max(1, scaleOf(gathered.command())));
    reply.appendBoolean("sharded", sharded);
    if (!sharded) {
      reply.appendString("primary", gathered.replies().getFirst().request().shard());
    }
    appendCommon(gathered.replies().getFirst().body(), reply);
    gathered.replies().forEach(each -> merged.add(each.body()));
    reply.appendString("ns", gathered.namespace().full());
    merged.appendSums(reply);
    reply.appendInt32("nchunks", sharded ? gathered.routing().table().chunkCount() : 1);
    reply.startDocument("shards");
    for (ShardReply each : gathered.replies()) {
      reply.startDocument(each.request().shard());
      merged.appendScaled(each.body(), reply);
      reply.appendDouble("ok", 1).end();
    }
    reply.end();
  }

  private static void appendCommon(RawDocument first, BsonBuilder reply) {
    ElementCursor fields = first.elements();
    while (fields.next()) {
      if (OF_THE_FIRST.contains(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }

  private void add(RawDocument figures) {
    ElementCursor fields = figures.elements();
    while (fields.next()) {
      String name = fields.name();
      RawValue value = fields.value();
      if (SUMS.contains(name)) {
        sums.merge(name, value.toLong(), Long::sum);
      } else if (name.equals(INDEX_SIZES)) {
        ElementCursor each = value.elements();
        while (each.next()) {
          indexSizes.merge(each.name(), each.value().toLong(), Long::sum);
        }
      } else if (name.equals("nindexes")) {
        differ |= indexes != 0 && indexes != value.toLong();
        indexes = Math.max(indexes, value.toLong());
      } else if (name.equals("maxSize")) {
        sizeMax = Math.max(sizeMax, value.toLong());
      }
    }
    bytes = sums.getOrDefault("size", 0L);
  }

  private void appendSums(BsonBuilder reply) {
    if (differ) {
      reply.appendString("warning", "indexes don't all match - ok if ensureIndex is running");
    }
    sums.forEach((name, sum) -> reply.appendInt64(name, SIZES.contains(name) ? sum / scale : sum));
    reply.startDocument(INDEX_SIZES);
    indexSizes.forEach((name, size) -> reply.appendInt64(name, size / scale));
    reply.end();
    long count = sums.getOrDefault("count", 0L);
    reply.appendDouble("avgObjSize", count == 0 ? 0 : bytes / count);
    reply.appendInt64("maxSize", sizeMax / scale);
    reply.appendInt32("nindexes", Math.toIntExact(indexes));
    reply.appendInt32("scaleFactor", Math.toIntExact(scale));
  }

  private void appendScaled(RawDocument figures, BsonBuilder out) {
    ElementCursor fields = figures.elements();
    while (fields.next()) {
      String name = fields.name();
      if (SIZES.contains(name)) {
        out.appendInt64(name, fields.value().toLong() / scale);
      } else if (name.equals("scaleFactor")) {
        out.appendInt64(name, scale);
      } else if (name.equals(INDEX_SIZES)) {
        out.startDocument(name);
        ElementCursor each = fields.value().elements();
        while (each.next()) {
          out.appendInt64(each.name(), each.value().toLong() / scale);
        }
        out.end();
      } else if (!ShardReply.isOfTheNode(name)) {
        out.appendElement(fields);
      }
    }
  }
}
