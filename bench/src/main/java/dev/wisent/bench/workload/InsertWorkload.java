package dev.wisent.bench.workload;

import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import java.util.List;

/** Inserts of single documents into an empty collection, new in every round. */
record InsertWorkload(String name, String summary, Durability durability) implements Workload {
  private static final CollectionSpec COLLECTION = new CollectionSpec("inserts", List.of());

  @Override
  public Prepared prepare(Subject subject) {
    return round -> {
      subject.store().create(COLLECTION);
      try {
        return subject.measure(
            subject.settings().threads(),
            durability,
            round.limit(),
            (session, client) -> inserter(subject, session, client));
      } finally {
        subject.store().drop(COLLECTION.name());
      }
    };
  }

  private static Subject.Operation inserter(Subject subject, Session session, int client) {
    return new Subject.Operation() {
      private long next = client;

      @Override
      public int run() {
        session.insert(COLLECTION.name(), subject.generator().document(next));
        next += subject.settings().threads();
        return 1;
      }
    };
  }
}
