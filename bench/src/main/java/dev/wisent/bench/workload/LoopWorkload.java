package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.store.StoreException;
import java.util.SplittableRandom;

/** One operation on a loaded collection, repeated by every client with its own random choices. */
record LoopWorkload(String name, String summary, Durability durability, Dataset dataset, Step step)
    implements Workload {
  static final int RANGE_DOCUMENTS = 20;
  static final int SORTED_DOCUMENTS = 100;

  /** One operation; throws when the answer is wrong. */
  interface Step {
    void run(Session session, String collection, long records, SplittableRandom random);
  }

  @Override
  public Prepared prepare(Subject subject) {
    subject.require(dataset);
    long records = subject.settings().records();
    return round ->
        subject.measure(
            subject.settings().threads(),
            durability,
            round.limit(),
            (session, client) -> {
              SplittableRandom random = subject.random(name, round.number(), client);
              return () -> {
                step.run(session, dataset.collection(), records, random);
                return 1;
              };
            });
  }

  static void read(Session session, String collection, long records, SplittableRandom random) {
    String id = DocumentGenerator.id(random.nextLong(records));
    if (!session.read(collection, id)) {
      throw new StoreException("document " + id + " was not found");
    }
  }

  static void increment(Session session, String collection, long records, SplittableRandom random) {
    String id = DocumentGenerator.id(random.nextLong(records));
    if (!session.increment(collection, id, DocumentGenerator.COUNTER)) {
      throw new StoreException("document " + id + " was not found");
    }
  }

  static void range(Session session, String collection, long records, SplittableRandom random) {
    long size = Math.min(records, RANGE_DOCUMENTS);
    long from = random.nextLong(records - size + 1);
    expect(size, session.range(collection, DocumentGenerator.RANK, from, from + size));
  }

  static void sorted(Session session, String collection, long records, SplittableRandom random) {
    long size = Math.min(records, SORTED_DOCUMENTS);
    long from = DocumentGenerator.atOfRank(random.nextLong(records - size + 1));
    expect(size, session.sortedRange(collection, DocumentGenerator.AT, from, SORTED_DOCUMENTS));
  }

  static void count(Session session, String collection, long records, SplittableRandom random) {
    long group = random.nextLong((records - 1) / DocumentGenerator.GROUP_SIZE + 1);
    long first = group * DocumentGenerator.GROUP_SIZE;
    long size = Math.min(DocumentGenerator.GROUP_SIZE, records - first);
    expect(size, session.count(collection, DocumentGenerator.GROUP, group));
  }

  private static void expect(long expected, long found) {
    if (found != expected) {
      throw new StoreException("expected " + expected + " documents, got " + found);
    }
  }
}
