package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.target.Target;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/** What transactions cost beside the same plain writes, and how they behave under contention. */
final class TransactionWorkloads {
  static final String RETRIES = "retries per commit";

  private static final String NEEDS_SET = "transactions and change streams need a replica set";
  private static final CollectionSpec INSERTS = new CollectionSpec("inserts", List.of());
  private static final Dataset DATASET = Dataset.DOCUMENTS;
  private static final int HOT_DOCUMENTS = 10;
  private static final int HOT_CLIENTS = 32;

  private TransactionWorkloads() {}

  static List<Workload> all() {
    return List.of(
        new Pair("transaction-plain", "one insert and one $inc, as two plain writes", false),
        new Pair("transaction-pair", "one insert and one $inc, in a transaction", true),
        new Hot());
  }

  static Optional<String> unsupportedBy(Target target) {
    return target.store().isReplicaSet() ? Optional.empty() : Optional.of(NEEDS_SET);
  }

  /** An insert and an update of another document. */
  private record Pair(String name, String summary, boolean transaction) implements Workload {
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
      int threads = subject.settings().threads();
      return round -> {
        subject.store().create(INSERTS);
        // Its own documents, in the collection of the inserts.
        try (Session session = subject.store().session(Durability.ACKNOWLEDGED)) {
          for (int i = 0; i < threads; i++) {
            session.insert(INSERTS.name(), subject.generator().document(i));
          }
        }
        try {
          return subject.measure(
              threads,
              durability(),
              round.limit(),
              (session, client) -> operation(subject, session, client, threads));
        } finally {
          subject.store().drop(INSERTS.name());
        }
      };
    }

    private Subject.Operation operation(Subject subject, Session session, int client, int threads) {
      String id = DocumentGenerator.id(client);
      return new Subject.Operation() {
        private long next = (long) threads + client;

        @Override
        public int run() {
          var document = subject.generator().document(next);
          next += threads;
          if (transaction) {
            session.insertAndIncrement(INSERTS.name(), document, id, DocumentGenerator.COUNTER);
          } else {
            session.insert(INSERTS.name(), document);
            session.increment(INSERTS.name(), id, DocumentGenerator.COUNTER);
          }
          return 1;
        }
      };
    }
  }

  /** Many clients that change the same few documents, two in each transaction. */
  private record Hot() implements Workload {
    @Override
    public String name() {
      return "transaction-hot-" + HOT_CLIENTS;
    }

    @Override
    public String summary() {
      return "$inc of two of "
          + HOT_DOCUMENTS
          + " documents in a transaction; "
          + HOT_CLIENTS
          + " clients";
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
      subject.require(DATASET);
      return round -> {
        var retries = new LongAdder();
        Sample sample =
            subject.measure(
                HOT_CLIENTS,
                durability(),
                round.limit(),
                (session, client) -> operation(subject, round, session, client, retries));
        return sample.withExtra(RETRIES, retries.sum() / sample.units());
      };
    }

    private Subject.Operation operation(
        Subject subject, Round round, Session session, int client, LongAdder retries) {
      SplittableRandom random = subject.random(name(), round.number(), client);
      long hot = Math.min(HOT_DOCUMENTS, subject.settings().records());
      return () -> {
        List<String> ids =
            random.longs(0, hot).distinct().limit(2).mapToObj(DocumentGenerator::id).toList();
        retries.add(session.incrementAll(DATASET.collection(), ids, DocumentGenerator.COUNTER));
        return 1;
      };
    }
  }
}
