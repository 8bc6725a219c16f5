package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.bson.BsonDocument;

/** Inserts that many change streams watch; CPU counts for each insert with all its events. */
record ChangeStreamWorkload(int streams) implements Workload {
  static final String EVENTS = "events per second";
  static final String LAG_MICROS = "lag p99 (\u00b5s)";
  static final String CPU_MICROS = "CPU per event (\u00b5s)";

  private static final CollectionSpec COLLECTION = new CollectionSpec("watched", List.of());
  private static final Duration REST = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "change-streams-" + streams;
  }

  @Override
  public String summary() {
    return "insert one document that " + streams + " change streams are told of";
  }

  @Override
  public Durability durability() {
    return Durability.MAJORITY;
  }

  @Override
  public Optional<String> unsupportedBy(Target target) {
    return TransactionWorkloads.unsupportedBy(target);
  }

  @Override
  public Prepared prepare(Subject subject) {
    return round -> {
      subject.store().create(COLLECTION);
      var load = new Load();
      try {
        for (int i = 0; i < streams; i++) {
          load.watches.add(subject.store().watch(COLLECTION.name(), load::seen));
        }
        return load.measure(subject, round);
      } finally {
        load.close();
        subject.store().drop(COLLECTION.name());
      }
    };
  }

  /** One round: who watches, and when each document was sent. */
  private final class Load {
    private final List<AutoCloseable> watches = new ArrayList<>();
    private final Map<String, Long> sentNanos = new ConcurrentHashMap<>();
    private final LongAdder events = new LongAdder();
    private final Histogram lags = new ConcurrentHistogram(3);

    Sample measure(Subject subject, Round round) throws Exception {
      int threads = subject.settings().threads();
      long start = System.nanoTime();
      Sample sample =
          subject.measure(
              threads,
              durability(),
              round.limit(),
              (session, client) -> inserter(subject, session, client, threads));
      long expected = (long) sample.units() * streams;
      while (events.sum() < expected && System.nanoTime() - start < deadlineNanos(round)) {
        Thread.onSpinWait();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return sample
          .withExtra(EVENTS, events.sum() / seconds)
          .withExtra(LAG_MICROS, lags.getValueAtPercentile(99) / 1000.0)
          .withExtra(CPU_MICROS, sample.cpuMicrosPerUnit() / streams);
    }

    private static long deadlineNanos(Round round) {
      return round.limit().time().plus(REST).toNanos();
    }

    private Subject.Operation inserter(Subject subject, Session session, int client, int threads) {
      return new Subject.Operation() {
        private long next = client;

        @Override
        public int run() {
          sentNanos.put(DocumentGenerator.id(next), System.nanoTime());
          session.insert(COLLECTION.name(), subject.generator().document(next));
          next += threads;
          return 1;
        }
      };
    }

    private void seen(BsonDocument document) {
      Long sent = sentNanos.get(document.getString("_id").getValue());
      if (sent != null) {
        lags.recordValue(System.nanoTime() - sent);
      }
      events.increment();
    }

    void close() throws Exception {
      for (AutoCloseable watch : watches) {
        watch.close();
      }
    }
  }
}
