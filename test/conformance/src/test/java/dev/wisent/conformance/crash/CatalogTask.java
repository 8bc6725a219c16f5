package dev.wisent.conformance.crash;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Collections and indexes that come and go while the others write. */
final class CatalogTask implements Task {

  static final String PREFIX = "catalog";
  private static final int LIVE_MAX = 4;

  // Clients do not create collections as fast as a loop can; the documents are to have the disk.
  private static final long PAUSE_NANOS = 5_000_000;

  /** Names of the collections that exist, with the names of their indexes. */
  private final Map<String, Set<String>> acknowledged = new TreeMap<>();

  private String changing;
  private Set<String> after;
  private int nextCollection;

  @Override
  public void step(Namespaces namespaces) {
    LockSupport.parkNanos(PAUSE_NANOS);
    String newest = PREFIX + (nextCollection - 1);
    Set<String> indexes = acknowledged.get(newest);
    if (indexes != null && indexes.size() == 1) {
      change(newest, Set.of("_id_", "x_1"), () -> createIndex(namespaces, newest));
    } else if (acknowledged.size() >= LIVE_MAX) {
      String oldest = acknowledged.keySet().iterator().next();
      change(oldest, null, () -> namespaces.database().getCollection(oldest).drop());
    } else {
      String name = PREFIX + nextCollection++;
      change(name, Set.of("_id_"), () -> namespaces.database().createCollection(name));
    }
  }

  private static void createIndex(Namespaces namespaces, String name) {
    MongoCollection<BsonDocument> collection =
        namespaces.database().getCollection(name, BsonDocument.class);
    collection.insertOne(new BsonDocument("x", new BsonInt32(1)));
    collection.createIndex(Indexes.ascending("x"));
  }

  private void change(String name, Set<String> indexes, Runnable action) {
    changing = name;
    after = indexes;
    action.run();
    apply(name, indexes);
    changing = null;
  }

  /** Compares with the collections that the server has, and goes on from there. */
  void reconcile(Map<String, Set<String>> actual) {
    Map<String, Set<String>> before = new TreeMap<>(acknowledged);
    if (changing != null && Objects.equals(actual.get(changing), after)) {
      apply(changing, after);
    }
    if (!acknowledged.equals(actual)) {
      throw new AssertionError(
          "collections: acknowledged %s, changing %s to %s, found %s"
              .formatted(before, changing, after, actual));
    }
    changing = null;
  }

  private void apply(String name, Set<String> indexes) {
    if (indexes == null) {
      acknowledged.remove(name);
    } else {
      acknowledged.put(name, new TreeSet<>(indexes));
    }
  }
}
