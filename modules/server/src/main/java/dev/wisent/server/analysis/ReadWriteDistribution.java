package dev.wisent.server.analysis;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges;
import dev.wisent.sharding.advice.QueryDistribution;
import dev.wisent.sharding.advice.SampledQuery;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.util.List;
import java.util.function.Consumer;

/** The parts {@code readDistribution} and {@code writeDistribution} of the reply. */
final class ReadWriteDistribution {
  private static final int PAGE = 1_000;
  private static final List<Kind> READS =
      List.of(Kind.FIND, Kind.AGGREGATE, Kind.COUNT, Kind.DISTINCT);
  private static final List<Kind> WRITES = List.of(Kind.UPDATE, Kind.DELETE, Kind.FIND_AND_MODIFY);

  private final ConfigCalls config;
  private final ShardKeyPattern key;
  private final AnalyzedCollection collection;

  /**
   * @param config null on a node that has no samples
   */
  ReadWriteDistribution(ConfigCalls config, ShardKeyPattern key, AnalyzedCollection collection) {
    this.config = config;
    this.key = key;
    this.collection = collection;
  }

  void append(OperationContext operation, KeySample sample, BsonBuilder reply) {
    var counts =
        new QueryDistribution(
            KeyRanges.of(key, sample.keys(), KeySample.RANGES), QueryContexts.of(operation));
    if (config != null) {
      each(
          operation,
          QuerySampler.QUERIES,
          stored -> SampledQuery.ofSample(stored).forEach(counts::add));
      each(
          operation,
          QuerySampler.DIFFERENCES,
          stored -> counts.addDifference(stored.get("diff").asDocument()));
    }
    reads(counts, reply);
    writes(counts, reply);
  }

  /** Takes the samples of the collection page by page, by their {@code _id}. */
  private void each(OperationContext operation, String samples, Consumer<RawDocument> action) {
    RawValue last = null;
    boolean more = true;
    while (more) {
      RawDocument reply = config.call(operation, page(samples, last));
      more = false;
      for (ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
          found.next(); ) {
        RawDocument stored = found.value().asDocument();
        action.accept(stored);
        last = stored.get("_id").detached();
        more = true;
      }
    }
  }

  private RawDocument page(String samples, RawValue after) {
    var find = new BsonBuilder().appendString("find", samples);
    find.startDocument("filter").appendUuid("collectionUuid", collection.uuid());
    if (after != null) {
      find.startDocument("_id").append("$gt", after).end();
    }
    find.end().startDocument("sort").appendInt32("_id", 1).end();
    find.appendInt32("batchSize", PAGE).appendInt32("limit", PAGE);
    return find.appendBoolean("singleBatch", true).toDocument();
  }

  private static void reads(QueryDistribution counts, BsonBuilder reply) {
    QueryDistribution.Side side = counts.reads();
    reply.startDocument("readDistribution");
    sampleSize(counts, side, READS, reply);
    if (side.total() > 0) {
      percentages(side, "Reads", reply);
      ranges(side, "numReadsByRange", reply);
    }
    reply.end();
  }

  private static void writes(QueryDistribution counts, BsonBuilder reply) {
    QueryDistribution.Side side = counts.writes();
    reply.startDocument("writeDistribution");
    sampleSize(counts, side, WRITES, reply);
    if (side.total() > 0) {
      percentages(side, "Writes", reply);
      ranges(side, "numWritesByRange", reply);
      long total = side.total();
      reply.appendDouble(
          "percentageOfShardKeyUpdates",
          percentage(Math.min(total, counts.shardKeyUpdates()), total));
      reply.appendDouble(
          "percentageOfSingleWritesWithoutShardKey", percentage(counts.singleWithoutKey(), total));
      reply.appendDouble(
          "percentageOfMultiWritesWithoutShardKey", percentage(counts.multiWithoutKey(), total));
    }
    reply.end();
  }

  private static void sampleSize(
      QueryDistribution counts, QueryDistribution.Side side, List<Kind> kinds, BsonBuilder reply) {
    reply.startDocument("sampleSize").appendInt64("total", side.total());
    kinds.forEach(kind -> reply.appendInt64(kind.command(), counts.samples(kind)));
    reply.end();
  }

  private static void percentages(QueryDistribution.Side side, String of, BsonBuilder reply) {
    long total = side.total();
    reply.appendDouble("percentageOfSingleShard" + of, percentage(side.single(), total));
    reply.appendDouble("percentageOfMultiShard" + of, percentage(side.several(), total));
    reply.appendDouble("percentageOfScatterGather" + of, percentage(side.scattered(), total));
  }

  private static double percentage(long part, long total) {
    return 100.0 * part / total;
  }

  private static void ranges(QueryDistribution.Side side, String name, BsonBuilder reply) {
    reply.startArray(name);
    long[] counts = side.byRange();
    for (int i = 0; i < counts.length; i++) {
      reply.append(i, RawValue.ofInt64(counts[i]));
    }
    reply.end();
  }
}
