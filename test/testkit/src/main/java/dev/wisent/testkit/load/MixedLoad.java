package dev.wisent.testkit.load;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/**
 * Writers of all kinds until it is closed: single and multiple documents, transactions, values of a
 * unique index that change their documents, collections that are created, renamed and dropped.
 */
public final class MixedLoad implements AutoCloseable {
  private static final int UNIQUE = 50;
  private static final int GROUP = 100;
  private static final long PAUSE_NANOS = 10_000_000;

  private final MongoClient client;
  private final int documents;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger free = new AtomicInteger(); // below all values that are in use
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  private MixedLoad(MongoClient client, int documents) {
    this.client = client;
    this.documents = documents;
  }

  private MongoDatabase database() {
    return client.getDatabase("load");
  }

  private MongoCollection<Document> items() {
    return database().getCollection("items");
  }

  /** Documents and indexes that the load works on. */
  public static void fill(MongoClient client, int documents) {
    var load = new MixedLoad(client, documents);
    List<Document> batch = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      batch.add(
          new Document("_id", i)
              .append("group", i / GROUP)
              .append("values", List.of(i, "text " + i))
              .append("inner", new Document("b", 1).append("a", "x".repeat(i % 100))));
      if (batch.size() == 5_000 || i == documents - 1) {
        load.items().insertMany(batch);
        batch.clear();
      }
    }
    load.items().createIndex(new Document("group", 1).append("inner.b", -1));
    MongoCollection<Document> unique = load.database().getCollection("unique");
    unique.createIndex(
        new Document("value", 1), new com.mongodb.client.model.IndexOptions().unique(true));
    for (int i = 0; i < UNIQUE; i++) {
      unique.insertOne(new Document("_id", i).append("value", i));
    }
    load.database().getCollection("tables.a").insertOne(new Document("of", "a"));
    load.database().getCollection("tables.b").insertOne(new Document("of", "b"));
  }

  public static MixedLoad start(MongoClient client, int documents) {
    var load = new MixedLoad(client, documents);
    for (int i = 0; i < 2; i++) {
      var random = new Random(i);
      load.thread(() -> load.write(random));
    }
    load.thread(() -> load.exchangeUnique(new Random(7)));
    load.thread(() -> load.define(new Random(8)));
    return load;
  }

  private void thread(Runnable turn) {
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!stopped) {
                      tryOnce(turn);
                    }
                  } catch (RuntimeException e) {
                    failure = e;
                  }
                }));
  }

  /**
   * On a busy machine a primary may be elected anew; what it has done of a turn does not matter.
   */
  private void tryOnce(Runnable turn) {
    try {
      turn.run();
      done.incrementAndGet();
    } catch (MongoNotPrimaryException
        | MongoNodeIsRecoveringException
        | MongoSocketException
        | MongoTimeoutException e) {
      LockSupport.parkNanos(PAUSE_NANOS);
    } catch (MongoException e) {
      if (!e.hasErrorLabel("RetryableWriteError")
          && !e.hasErrorLabel("TransientTransactionError")) {
        throw e;
      }
    }
  }

  private void write(Random random) {
    int id = random.nextInt(documents + documents / 10);
    switch (random.nextInt(10)) {
      case 0, 1 -> items().deleteOne(Filters.eq(id));
      case 2, 3 ->
          items()
              .replaceOne(
                  Filters.eq(id),
                  new Document("_id", id).append("new", random.nextLong()),
                  new com.mongodb.client.model.ReplaceOptions().upsert(true));
      case 4 ->
          items()
              .updateMany(
                  Filters.eq("group", random.nextInt(documents / GROUP)), Updates.inc("many", 1));
      case 5 ->
          items()
              .updateOne(
                  Filters.eq(id),
                  Updates.combine(Updates.unset("inner.b"), Updates.push("list", random.nextInt())),
                  new UpdateOptions().upsert(true));
      case 6 -> transaction(random, id);
      default -> items().insertOne(new Document("at", random.nextLong()).append("group", -1));
    }
  }

  private void transaction(Random random, int id) {
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            items().updateOne(session, Filters.eq(id), Updates.inc("moved", -1));
            items()
                .updateOne(session, Filters.eq(random.nextInt(documents)), Updates.inc("moved", 1));
            database()
                .getCollection("transactions")
                .insertOne(session, new Document("of", id).append("n", random.nextInt()));
            return null;
          });
    }
  }

  /** Gives the value of one document to another, so that copies of two times conflict. */
  private void exchangeUnique(Random random) {
    MongoCollection<Document> unique = database().getCollection("unique");
    int from = random.nextInt(UNIQUE);
    int to = random.nextInt(UNIQUE);
    if (from == to) {
      return;
    }
    int first = unique.find(Filters.eq(from)).first().getInteger("value");
    int second = unique.find(Filters.eq(to)).first().getInteger("value");
    unique.updateOne(Filters.eq(from), Updates.set("value", free.decrementAndGet()));
    unique.updateOne(Filters.eq(to), Updates.set("value", first));
    unique.updateOne(Filters.eq(from), Updates.set("value", second));
  }

  private void define(Random random) {
    String name = "made" + random.nextInt(4);
    MongoCollection<Document> made = database().getCollection(name);
    switch (random.nextInt(8)) {
      case 0 -> made.drop();
      case 1 -> rename("tables.a", "tables.c", false);
      case 2 -> rename("tables.b", "tables.a", false);
      case 3 -> rename("tables.c", "tables.b", false);
      case 4 -> rename(name, "made" + random.nextInt(4), true);
      case 5 -> quietly(() -> made.createIndex(new Document("n", 1)));
      case 6 -> quietly(made::dropIndexes);
      default -> {
        for (int i = 0; i < 20; i++) {
          made.insertOne(new Document("n", random.nextInt()));
          for (String table : List.of("tables.a", "tables.b")) {
            database().getCollection(table).updateMany(new Document(), Updates.inc("n", 1));
          }
        }
      }
    }
  }

  private void rename(String from, String to, boolean drop) {
    quietly(
        () ->
            database()
                .getCollection(from)
                .renameCollection(
                    new com.mongodb.MongoNamespace("load", to),
                    new RenameCollectionOptions().dropTarget(drop)));
  }

  /** Names that are not there, or are there already, are a part of the load. */
  private static void quietly(Runnable command) {
    try {
      command.run();
    } catch (MongoCommandException e) {
      if (!List.of(26, 48, 20, 72).contains(e.getErrorCode())) {
        throw e;
      }
    }
  }

  public int done() {
    return done.get();
  }

  /** Waits until there was more of it. */
  public void awaitMore(int count) {
    int end = done() + count;
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (done() < end) {
      throwFailure();
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the load has come to a stop");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    throwFailure();
  }

  /** Once, since a test that fails closes the load. */
  private void throwFailure() {
    RuntimeException thrown = failure;
    failure = null;
    if (thrown != null) {
      throw thrown;
    }
  }
}
