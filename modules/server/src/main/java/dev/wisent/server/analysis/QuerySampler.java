package dev.wisent.server.analysis;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.operation.RunningOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Samples the queries of collections that have an analyzer, as many in a second as it says, and
 * writes them to {@code config.sampledQueries} from time to time.
 */
public final class QuerySampler {
  static final String QUERIES = "sampledQueries";
  static final String DIFFERENCES = "sampledQueriesDiff";

  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final long LIMIT_MILLIS = 5_000;
  private static final long LIFETIME_MILLIS = TimeUnit.DAYS.toMillis(7);
  private static final int BATCH = 1_000;
  private static final int DROPPED_LOG_ID = 9_000_620;

  private final ConfigCalls config;
  private final AnalyzedCollections collections;
  private final SampleImages images;
  private final Clock clock;
  private final RandomSource random;
  private final Log log;
  private final BackgroundLoop loop;
  private final SampleBuffer queries = new SampleBuffer();
  private final SampleBuffer differences = new SampleBuffer();
  private final ReentrantLock writing = new ReentrantLock();
  private volatile Map<Namespace, Analyzer> analyzers = Map.of();

  /** How many samples the log has told of; only the loop looks at it. */
  private long dropped;

  private record Analyzer(UUID collection, TokenBucket bucket) {}

  /**
   * A sample whose command is under way.
   *
   * @param before the document that it is about to change; null where that is not of interest
   */
  private record Taken(SampledStatement statement, UUID collection, UUID id, RawDocument before) {}

  QuerySampler(
      ConfigCalls config,
      AnalyzedCollections collections,
      SampleImages images,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops,
      Log log) {
    this.config = config;
    this.collections = collections;
    this.images = images;
    this.clock = clock;
    this.random = random;
    this.log = log;
    this.loop = loops.every(PERIOD, "query-sampler", this::turn);
  }

  /** Writes samples and learns of analyzers; the server starts and ends it. */
  BackgroundLoop loop() {
    return loop;
  }

  private void turn() {
    if (!config.isReachable()) {
      return;
    }
    flush(limited());
    refresh(limited());
    long now = queries.dropped() + differences.dropped();
    if (now > dropped) {
      log.warn(DROPPED_LOG_ID, "Samples of queries did not fit", "samples", now - dropped);
      dropped = now;
    }
  }

  private OperationContext limited() {
    var operation = OperationContext.internal(clock);
    operation.limitMillis(LIMIT_MILLIS);
    return operation;
  }

  /** Whether no collection has an analyzer, so that there is nothing to look at. */
  boolean isIdle() {
    return analyzers.isEmpty();
  }

  /** Runs a command, and keeps those of its statements that are due as samples. */
  void around(RunningOperation operation, Runnable command) {
    List<Taken> taken = take(operation);
    command.run();
    for (Taken each : taken) {
      keep(operation, each);
    }
  }

  private List<Taken> take(RunningOperation operation) {
    Map<Namespace, Analyzer> known = analyzers;
    var taken = new ArrayList<Taken>(1);
    for (SampledStatement statement :
        SampledStatement.of(operation.spec().name(), operation.request())) {
      Analyzer analyzer = known.get(statement.namespace());
      if (analyzer != null && analyzer.bucket().take(clock.monotonicNanos())) {
        taken.add(
            new Taken(
                statement,
                analyzer.collection(),
                random.nextUuid(),
                images.before(operation, statement)));
      }
    }
    return taken;
  }

  private void keep(RunningOperation operation, Taken taken) {
    SampledStatement statement = taken.statement();
    BsonBuilder sample = begin(taken);
    sample.appendString("cmdName", statement.kind().command());
    sample.appendDocument("cmd", statement.command());
    if (!queries.add(expiring(sample)) || taken.before() == null) {
      return;
    }
    RawDocument diff = images.difference(operation, statement, taken.before());
    if (diff != null) {
      differences.add(expiring(begin(taken).appendDocument("diff", diff)));
    }
  }

  private static BsonBuilder begin(Taken taken) {
    return new BsonBuilder()
        .appendUuid("_id", taken.id())
        .appendString("ns", taken.statement().namespace().full())
        .appendUuid("collectionUuid", taken.collection());
  }

  private RawDocument expiring(BsonBuilder sample) {
    return sample.appendDate("expireAt", clock.wallMillis() + LIFETIME_MILLIS).toDocument();
  }

  /** Learns which collections have an analyzer. */
  void refresh(OperationContext operation) {
    double share = -1;
    Map<Namespace, Analyzer> next = new HashMap<>();
    for (RawDocument stored : config.analyzers(operation)) {
      share = share < 0 ? config.share(operation) : share;
      read(stored, share, operation, next);
    }
    analyzers = Map.copyOf(next);
  }

  private void read(
      RawDocument stored, double share, OperationContext operation, Map<Namespace, Analyzer> to) {
    RawValue uuid = stored.get("collUuid");
    RawValue rate = stored.get("samplesPerSecond");
    if (uuid == null || !uuid.isUuid() || rate == null || !rate.isNumber()) {
      return;
    }
    Namespace namespace = Namespace.parse(stored.get("_id").asString());
    AnalyzedCollection collection = collections.find(operation, namespace);
    // One that was dropped or renamed is not sampled any more, as in MongoDB.
    if (collection != null && uuid.asUuid().equals(collection.uuid())) {
      double perSecond = rate.toDouble() * share;
      Analyzer known = analyzers.get(namespace);
      boolean same =
          known != null
              && known.collection().equals(collection.uuid())
              && known.bucket().perSecond() == perSecond;
      to.put(
          namespace,
          same
              ? known
              : new Analyzer(
                  collection.uuid(), new TokenBucket(perSecond, clock.monotonicNanos())));
    }
  }

  /** Writes what was sampled. What cannot be written now stays for the next time. */
  void flush(OperationContext operation) {
    operation.acquire(writing);
    try {
      write(operation, queries, QUERIES);
      write(operation, differences, DIFFERENCES);
    } finally {
      writing.unlock();
    }
  }

  /** A sample that is written twice, as its first reply was lost, has the same {@code _id}. */
  private void write(OperationContext operation, SampleBuffer buffer, String collection) {
    List<RawDocument> samples;
    while (!(samples = buffer.oldest(BATCH)).isEmpty()) {
      var command = new BsonBuilder(1 << 16);
      command.appendString("insert", collection).appendBoolean("ordered", false);
      command.startArray("documents");
      for (int i = 0; i < samples.size(); i++) {
        command.appendDocument(i, samples.get(i));
      }
      command.end();
      config.call(operation, command.toDocument());
      buffer.remove(samples.size());
    }
  }
}
