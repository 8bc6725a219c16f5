package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.DuplicateKeyException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;

/** Inserts one document after the other, each until it is acknowledged. */
final class SteadyWrites implements AutoCloseable {
  /** An election takes a few seconds, on a busy machine some more. */
  private static final long REFUSED_SECONDS_MAX = 60;

  private static final long POLL_MILLIS = 10;
  private static final int DUPLICATE_KEY = 11000;

  private final MongoCollection<Document> collection;
  private final Thread thread = new Thread(this::run, "writes");
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile int acknowledged;

  private SteadyWrites(MongoCollection<Document> collection) {
    this.collection = collection;
  }

  static SteadyWrites start(MongoCollection<Document> collection) {
    var writes = new SteadyWrites(collection);
    writes.thread.start();
    return writes;
  }

  private void run() {
    try {
      for (int id = 0; !pause(); id++) {
        insert(id);
        acknowledged = id + 1;
      }
    } catch (RuntimeException | InterruptedException e) {
      failure.set(e);
    }
  }

  /** Whether this is the end. */
  private boolean pause() throws InterruptedException {
    return stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void insert(int id) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REFUSED_SECONDS_MAX);
    while (true) {
      try {
        collection.insertOne(new Document("_id", id));
        return;
      } catch (MongoException e) {
        if (isThere(e)) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw e;
        }
        pause();
      }
    }
  }

  private static boolean isThere(MongoException e) {
    return e instanceof DuplicateKeyException
        || (e instanceof MongoWriteException write && write.getError().getCode() == DUPLICATE_KEY);
  }

  /** Returns when one more write that began from now on is acknowledged. */
  void awaitMore() throws InterruptedException {
    int enough = acknowledged + 2;
    while (acknowledged < enough && thread.isAlive()) {
      thread.join(POLL_MILLIS);
    }
    assertThat(failure.get()).isNull();
  }

  /** Ends the writes and returns how many were acknowledged. */
  int end() throws InterruptedException {
    stop.countDown();
    thread.join();
    assertThat(failure.get()).isNull();
    return acknowledged;
  }

  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    thread.join();
  }
}
