package dev.wisent.bench.workload;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.measure.Limit;
import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Loads a new collection in batches. It ends with the last document rather than after a time, so
 * that the disk sizes of the targets compare.
 */
record BulkLoadWorkload(String name, CollectionSpec collection, DocumentSource source)
    implements Workload {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final int WARM_UP_FRACTION = 5;

  @Override
  public String summary() {
    return "insertMany of " + Loader.BATCH_DOCUMENTS + " documents; latency is that of a batch";
  }

  @Override
  public String unit() {
    return "document";
  }

  @Override
  public Durability durability() {
    return Durability.ACKNOWLEDGED;
  }

  @Override
  public Prepared prepare(Subject subject) {
    return round -> {
      subject.store().create(collection);
      try {
        return load(subject, round);
      } finally {
        subject.store().drop(collection.name());
      }
    };
  }

  private Sample load(Subject subject, Round round) throws Exception {
    boolean warmUp = round.number() == 0;
    long records = subject.settings().records();
    long documents = warmUp ? Math.max(1, records / WARM_UP_FRACTION) : records;
    long batches = (documents + Loader.BATCH_DOCUMENTS - 1) / Loader.BATCH_DOCUMENTS;
    AtomicLong nextBatch = new AtomicLong();
    return subject.measure(
        (int) Math.min(batches, subject.settings().threads()),
        durability(),
        new Limit(batches, TIMEOUT),
        (session, _) -> () -> insert(subject, session, nextBatch.getAndIncrement(), documents));
  }

  private int insert(Subject subject, Session session, long batch, long documents) {
    long from = batch * Loader.BATCH_DOCUMENTS;
    long to = Math.min(documents, from + Loader.BATCH_DOCUMENTS);
    List<BenchDocument> content = new ArrayList<>();
    for (long i = from; i < to; i++) {
      content.add(source.document(subject, i));
    }
    session.insertMany(collection.name(), content);
    return content.size();
  }
}
