package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/**
 * Documents with the numbers 0, 1, 2 and so on, each inserted when the one before is acknowledged:
 * a state has the first so many of them. Beside it documents are changed and deleted, and an index
 * is built and dropped again and again.
 */
final class SequenceLoad implements AutoCloseable {
  private static final String DATABASE = "load";
  private static final int ITEMS = 300;

  private final MongoDatabase database;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  private SequenceLoad(MongoDatabase database) {
    this.database = database;
  }

  static SequenceLoad start(MongoClient client, long seed) {
    var load = new SequenceLoad(client.getDatabase(DATABASE));
    var random = new Random(seed);
    load.database.getCollection("items").createIndex(new Document("value", 1));
    load.turn(load::insert);
    load.turn(() -> load.change(random));
    load.turn(load::build);
    return load;
  }

  private void turn(Runnable turn) {
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!stopped) {
                      turn.run();
                    }
                  } catch (RuntimeException e) {
                    failure = e;
                  }
                }));
  }

  private void insert() {
    int next = acknowledged.get();
    database.getCollection("sequence").insertOne(new Document("_id", next));
    acknowledged.set(next + 1);
  }

  private void change(Random random) {
    MongoCollection<Document> items = database.getCollection("items");
    int id = random.nextInt(ITEMS);
    if (random.nextInt(4) == 0) {
      items.deleteOne(Filters.eq(id));
    } else {
      items.updateOne(
          Filters.eq(id),
          Updates.combine(
              Updates.set("value", random.nextInt()),
              Updates.set("text", "x".repeat(random.nextInt(2_000)))),
          new UpdateOptions().upsert(true));
    }
  }

  private void build() {
    database.getCollection("items").createIndex(new Document("text", 1));
    database.getCollection("items").dropIndex(new Document("text", 1));
  }

  int acknowledged() {
    return acknowledged.get();
  }

  /** Waits until more are acknowledged. */
  void awaitMore(int count) {
    int end = acknowledged() + count;
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (acknowledged() < end) {
      if (failure != null) {
        throw failure;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no inserts for a minute");
      }
      Thread.onSpinWait();
    }
  }

  /** Whether the numbers are 0 to some number; returns how many they are. */
  static int check(MongoClient client) {
    List<Document> found =
        client
            .getDatabase(DATABASE)
            .getCollection("sequence")
            .find()
            .sort(Sorts.ascending("_id"))
            .into(new ArrayList<>());
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i).getInteger("_id")).isEqualTo(i);
    }
    return found.size();
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
    if (failure != null) {
      throw failure;
    }
  }
}
