package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Filter;
import dev.wisent.bench.store.Filter.AtLeast;
import dev.wisent.bench.store.Filter.Between;
import dev.wisent.bench.store.Filter.Equal;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.store.StoreException;
import java.util.List;
import java.util.SplittableRandom;

/** One operation on a loaded collection, repeated by every client with its own random choices. */
record LoopWorkload(String name, String summary, Durability durability, Dataset dataset, Step step)
    implements Workload {
  static final int RANGE_DOCUMENTS = 20;
  static final int SORTED_DOCUMENTS = 100;
  static final int COVERED_DOCUMENTS = 100;
  static final int IN_DOCUMENTS = 100;

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
    var filter = Filter.of(new Between(Fields.RANK, from, from + size));
    expect(size, session.find(collection, filter));
  }

  static void coveredRange(
      Session session, String collection, long records, SplittableRandom random) {
    long size = Math.min(records, COVERED_DOCUMENTS);
    long from = random.nextLong(records - size + 1);
    var filter = Filter.of(new Between(Fields.RANK, from, from + size));
    expect(size, session.findField(collection, filter, Fields.RANK));
  }

  static void compoundSort(
      Session session, String collection, long records, SplittableRandom random) {
    long shelf = random.nextLong(Math.min(records, DocumentGenerator.SHELVES));
    long documents = (records - shelf - 1) / DocumentGenerator.SHELVES + 1;
    long size = Math.min(documents, RANGE_DOCUMENTS);
    long first = random.nextLong(documents - size + 1);
    long from = DocumentGenerator.atOfRank(shelf + first * DocumentGenerator.SHELVES);
    var filter = Filter.of(new Equal(Fields.SHELF, shelf), new AtLeast(Fields.AT, from));
    expect(size, session.findSorted(collection, filter, Fields.AT, RANGE_DOCUMENTS));
  }

  static void in(Session session, String collection, long records, SplittableRandom random) {
    int size = (int) Math.min(records, IN_DOCUMENTS);
    List<String> ids =
        random.longs(0, records).distinct().limit(size).mapToObj(DocumentGenerator::id).toList();
    expect(size, session.readAll(collection, ids));
  }

  static void sorted(Session session, String collection, long records, SplittableRandom random) {
    long size = Math.min(records, SORTED_DOCUMENTS);
    long from = DocumentGenerator.atOfRank(random.nextLong(records - size + 1));
    var filter = Filter.of(new AtLeast(Fields.AT, from));
    expect(size, session.findSorted(collection, filter, Fields.AT, SORTED_DOCUMENTS));
  }

  static void count(Session session, String collection, long records, SplittableRandom random) {
    long group = random.nextLong((records - 1) / DocumentGenerator.GROUP_SIZE + 1);
    long first = group * DocumentGenerator.GROUP_SIZE;
    long size = Math.min(DocumentGenerator.GROUP_SIZE, records - first);
    expect(size, session.count(collection, Filter.of(new Equal(Fields.GROUP, group))));
  }

  static void expect(long expected, long found) {
    if (found != expected) {
      throw new StoreException("expected " + expected + " documents, got " + found);
    }
  }
}
