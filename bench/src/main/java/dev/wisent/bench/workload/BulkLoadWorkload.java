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
    return round -> round.number() == 0 ? warmUp(subject, round.limit()) : load(subject, TIMEOUT);
  }

  /** Loads again and again, as long as the other workloads warm up. */
  private Sample warmUp(Subject subject, Limit limit) throws Exception {
    long deadlineNanos = System.nanoTime() + limit.time().toNanos();
    while (true) {
      long leftNanos = deadlineNanos - System.nanoTime();
      Sample sample = load(subject, Duration.ofNanos(Math.max(1, leftNanos)));
      // A count of operations ends short runs; a load as a whole is at least that.
      if (limit.operations() != Long.MAX_VALUE || System.nanoTime() >= deadlineNanos) {
        return sample;
      }
    }
  }

  private Sample load(Subject subject, Duration timeout) throws Exception {
    long documents = subject.settings().records();
    long batches = (documents + Loader.BATCH_DOCUMENTS - 1) / Loader.BATCH_DOCUMENTS;
    AtomicLong nextBatch = new AtomicLong();
    subject.store().create(collection);
    try {
      return subject.measure(
          (int) Math.min(batches, subject.settings().threads()),
          durability(),
          new Limit(batches, timeout),
          (session, _) -> () -> insert(subject, session, nextBatch.getAndIncrement(), documents));
    } finally {
      subject.store().drop(collection.name());
    }
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
