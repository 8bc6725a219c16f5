package dev.wisent.conformance.build;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;

/** Inserts, changes and deletes documents until it is told to stop; counts what it has done. */
final class BuildWriter implements Runnable {
  private final MongoCollection<Document> collection;
  private final int number;
  private final int documents;
  private final AtomicBoolean stop;
  private final AtomicLong steps = new AtomicLong();
  private final SplittableRandom random;

  BuildWriter(MongoCollection<Document> collection, int number, int documents, AtomicBoolean stop) {
    this.collection = collection;
    this.number = number;
    this.documents = documents;
    this.stop = stop;
    this.random = new SplittableRandom(number);
  }

  long steps() {
    return steps.get();
  }

  @Override
  public void run() {
    try {
      for (int i = 0; !stop.get(); i++) {
        step(i);
        steps.incrementAndGet();
      }
    } catch (MongoException e) {
      // A server that was killed says nothing; one that refuses a write must not.
      if (!stop.get()) {
        throw e;
      }
    }
  }

  private void step(int i) {
    int id = random.nextInt(documents);
    switch (i % 4) {
      case 0 -> collection.insertOne(BuildData.document(documents + 1 + number + i * 10, i));
      case 1 ->
          collection.updateOne(
              Filters.eq("_id", id),
              Updates.combine(Updates.set("value", i), Updates.set("tags", tags(i))));
      case 2 -> collection.updateOne(Filters.eq("_id", id), Updates.inc("value", 0.5));
      default -> collection.deleteOne(Filters.eq("_id", id));
    }
  }

  private static Object tags(int i) {
    return i % 3 == 0 ? java.util.List.of("new", i % 7) : "one";
  }
}
