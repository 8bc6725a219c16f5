package dev.wisent.bench.migration;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.bench.data.DocumentGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.bson.RawBsonDocument;

/**
 * Clients that read or update documents of the collection by {@code _id}, all of them as likely.
 * Each begins an operation at fixed times; a time at which the last operation is not answered yet
 * is left out. The latency of an operation is counted from when it is sent.
 */
public final class PacedLoad implements AutoCloseable {
  private static final long LATENCY_NANOS_MAX = Duration.ofMinutes(10).toNanos();
  private static final int SIGNIFICANT_DIGITS = 3;

  private final MongoCollection<RawBsonDocument> collection;
  private final long records;
  private final Recorder reads = new Recorder(LATENCY_NANOS_MAX, SIGNIFICANT_DIGITS);
  private final Recorder writes = new Recorder(LATENCY_NANOS_MAX, SIGNIFICANT_DIGITS);
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  public PacedLoad(MongoClient client, long records) {
    this.collection =
        client
            .getDatabase(MovedCollection.DATABASE)
            .getCollection(MovedCollection.COLLECTION, RawBsonDocument.class);
    this.records = records;
  }

  /** What the clients of one kind have seen since they were asked last. */
  public record Seen(Histogram reads, Histogram writes) {
    public long operations() {
      return reads.getTotalCount() + writes.getTotalCount();
    }
  }

  /**
   * @param clients of each kind
   * @param readsPerSecond of all clients together; without a limit if it is infinite
   */
  public void start(int clients, double readsPerSecond, double writesPerSecond) {
    for (int i = 0; i < clients; i++) {
      drive(i, clients / readsPerSecond, reads, this::read);
      drive(i + clients, clients / writesPerSecond, writes, this::write);
    }
  }

  private interface Operation {
    void on(String id);
  }

  private void drive(int seed, double intervalSeconds, Recorder latencies, Operation operation) {
    var random = new SplittableRandom(seed);
    long interval = (long) (intervalSeconds * 1e9);
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .name("load-" + seed)
            .start(
                () -> {
                  try {
                    drive(random, interval, latencies, operation);
                  } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                  }
                }));
  }

  private void drive(
      SplittableRandom random, long interval, Recorder latencies, Operation operation) {
    // Spread over the first interval, so that they do not all begin at the same time.
    long next = System.nanoTime() + (interval == 0 ? 0 : random.nextLong(interval));
    while (!stopped) {
      long wait = next - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
        continue;
      }
      long begin = System.nanoTime();
      operation.on(DocumentGenerator.id(random.nextLong(records)));
      long end = System.nanoTime();
      latencies.recordValue(Math.min(end - begin, LATENCY_NANOS_MAX));
      next += interval;
      if (interval > 0 && next < end) {
        next += (end - next) / interval * interval;
      }
    }
  }

  private void read(String id) {
    if (collection.find(Filters.eq(id)).first() == null) {
      throw new IllegalStateException("no document with _id " + id);
    }
  }

  private void write(String id) {
    var result = collection.updateOne(Filters.eq(id), Updates.inc(DocumentGenerator.COUNTER, 1));
    if (result.getModifiedCount() != 1) {
      throw new IllegalStateException("no document changed with _id " + id);
    }
  }

  /** Since the last call. */
  public Seen seen() throws Exception {
    if (failure.get() != null) {
      throw failure.get();
    }
    return new Seen(reads.getIntervalHistogram(), writes.getIntervalHistogram());
  }

  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
