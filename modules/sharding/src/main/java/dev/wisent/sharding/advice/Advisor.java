package dev.wisent.sharding.advice;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyFigures.ChunkFigures;
import dev.wisent.sharding.advice.KeyFigures.QueryFigures;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Judges shard keys by a sample of documents and queries. */
public final class Advisor {
  /** A value that is there less often may be as common as it seems by chance. */
  private static final int FREQUENCY_MIN = 5;

  private final List<RawDocument> documents;
  private final List<SampledQuery> queries;
  private final AdviceSettings settings;

  /**
   * @param documents in the order of their insertion
   */
  public Advisor(List<RawDocument> documents, List<SampledQuery> queries, AdviceSettings settings) {
    this.documents = List.copyOf(documents);
    this.queries = List.copyOf(queries);
    this.settings = settings;
  }

  /** The best one first. */
  public List<CandidateReport> judge(List<CandidateKey> candidates) {
    return candidates.stream()
        .map(this::judge)
        .sorted(Comparator.comparingDouble(CandidateReport::score).reversed())
        .toList();
  }

  public CandidateReport judge(CandidateKey candidate) {
    KeyFigures figures = figures(candidate);
    return new CandidateReport(
        candidate, figures, new Judgement(candidate, figures, settings).verdict());
  }

  private KeyFigures figures(CandidateKey candidate) {
    ShardKeyPattern pattern = candidate.pattern();
    var keys = new ArrayList<EncodedKey>(documents.size());
    int arrays = 0;
    int missing = 0;
    for (RawDocument each : documents) {
      RawDocument document = candidate.prepared(each);
      missing += hasNoField(pattern, document) ? 1 : 0;
      try {
        keys.add(EncodedKey.of(pattern, document));
      } catch (CommandException hasArray) {
        arrays++;
      }
    }
    Simulation run = Simulation.of(pattern, keys, settings.shards());
    Values values = values(keys);
    double afterMonth = settings.bytesAfterMonth();
    long full = (long) Math.ceil(afterMonth / settings.chunkBytes());
    return new KeyFigures(
        documents.size(),
        arrays,
        missing,
        values.distinct,
        values.common,
        keys.isEmpty() ? 0 : (double) values.commonCount / keys.size(),
        values.correlation,
        run.busiestShare(),
        run.warmShare(),
        values.jumboValues,
        keys.isEmpty() ? 0 : (double) values.jumboDocuments / keys.size(),
        Math.max(1, values.distinct < keys.size() / 2 ? Math.min(full, values.distinct) : full),
        run.chunks().stream()
            .map(c -> new ChunkFigures(c.shard(), c.documents(), c.recent(), c.isJumbo()))
            .toList(),
        run.windows(),
        queries(run.table()));
  }

  private static boolean hasNoField(ShardKeyPattern pattern, RawDocument document) {
    for (KeyPattern.Field field : pattern.fields()) {
      if (PlainValues.valueOrArray(document, field.path()) != null) {
        return false;
      }
    }
    return true;
  }

  private record Values(
      long distinct,
      RawDocument common,
      long commonCount,
      double correlation,
      long jumboValues,
      long jumboDocuments) {}

  /** Counts the values of keys that are in the order of insertion. */
  private Values values(List<EncodedKey> keys) {
    Integer[] order = IntStream.range(0, keys.size()).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> EncodedKey.ORDER.compare(keys.get(a), keys.get(b)));
    var distribution = new KeyDistribution(1);
    long jumboFrom =
        Math.max(
            FREQUENCY_MIN,
            (long) (keys.size() * settings.chunkBytes() / Math.max(1, settings.bytesAfterMonth())));
    long jumboValues = 0;
    long jumboDocuments = 0;
    int start = 0;
    for (int i = 0; i < order.length; i++) {
      EncodedKey key = keys.get(order[i]);
      distribution.add(key.bytes(), key.key(), order[i]);
      boolean last =
          i + 1 == order.length || !Arrays.equals(keys.get(order[i + 1]).bytes(), key.bytes());
      if (last) {
        int frequency = i + 1 - start;
        jumboValues += frequency > jumboFrom ? 1 : 0;
        jumboDocuments += frequency > jumboFrom ? frequency : 0;
        start = i + 1;
      }
    }
    List<KeyDistribution.CommonValue> common = distribution.mostCommon();
    return new Values(
        distribution.distinctValues(),
        common.isEmpty() ? null : common.getFirst().value(),
        common.isEmpty() ? 0 : common.getFirst().frequency(),
        distribution.insertionCorrelation(),
        jumboValues,
        jumboDocuments);
  }

  private QueryFigures queries(RoutingTable table) {
    var targeting = new QueryTargeting(table, QueryContext.of(() -> 0, () -> 0));
    long one = 0;
    long all = 0;
    long shards = 0;
    for (SampledQuery query : queries) {
      QueryTargeting.Target target = targeting.of(query);
      boolean scattered = target.reach() == QueryTargeting.Reach.ALL;
      int asked = scattered ? settings.shards() : target.ranges().size();
      one += !scattered && asked == 1 ? 1 : 0;
      all += scattered ? 1 : 0;
      shards += asked;
    }
    long total = queries.size();
    return new QueryFigures(
        total, one, total - one - all, all, total == 0 ? 0 : (double) shards / total);
  }
}
