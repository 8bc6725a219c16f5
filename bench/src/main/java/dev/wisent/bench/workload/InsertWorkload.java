package dev.wisent.bench.workload;

import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import java.util.List;
import java.util.OptionalInt;

/**
 * Inserts of single documents into an empty collection, new in every round.
 *
 * @param clients empty for as many as the settings say
 */
record InsertWorkload(String name, String summary, Durability durability, OptionalInt clients)
    implements Workload {
  private static final CollectionSpec COLLECTION = new CollectionSpec("inserts", List.of());

  /** With as many clients as the settings say. */
  InsertWorkload(String name, String summary, Durability durability) {
    this(name, summary, durability, OptionalInt.empty());
  }

  @Override
  public Prepared prepare(Subject subject) {
    int threads = clients.orElse(subject.settings().threads());
    return round -> {
      subject.store().create(COLLECTION);
      try {
        return subject.measure(
            threads,
            durability,
            round.limit(),
            (session, client) -> inserter(subject, session, client, threads));
      } finally {
        subject.store().drop(COLLECTION.name());
      }
    };
  }

  private static Subject.Operation inserter(
      Subject subject, Session session, int client, int threads) {
    return new Subject.Operation() {
      private long next = client;

      @Override
      public int run() {
        session.insert(COLLECTION.name(), subject.generator().document(next));
        next += threads;
        return 1;
      }
    };
  }
}
