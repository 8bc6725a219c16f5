package dev.wisent.conformance.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A collection of many small documents, builds of its indexes, and what must hold afterwards. */
record BuildData(MongoClient client, int documents) {
  static final String DATABASE = "build";
  static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final int BATCH = 5_000;

  MongoDatabase database() {
    return client.getDatabase(DATABASE);
  }

  MongoCollection<Document> collection() {
    return database().getCollection("readings");
  }

  static Document document(int id, int value) {
    Document document = new Document("_id", id).append("host", "host" + id % 97);
    document.append("value", value).append("serial", id);
    return id % 11 == 0 ? document.append("tags", List.of("a", "b" + id % 5)) : document;
  }

  void load() {
    for (int first = 0; first < documents; first += BATCH) {
      List<Document> batch = new ArrayList<>(BATCH);
      for (int id = first; id < Math.min(documents, first + BATCH); id++) {
        batch.add(document(id, id * 7 % 1000));
      }
      collection().insertMany(batch, new InsertManyOptions().ordered(false));
    }
  }

  /** Begins createIndexes; the result is the error code, 0 for none. */
  Future<Integer> build(ExecutorService executor, Document... indexes) {
    Document command =
        new Document("createIndexes", "readings").append("indexes", List.of(indexes));
    return executor.submit(
        () -> {
          try {
            database().runCommand(command);
            return 0;
          } catch (MongoCommandException e) {
            return e.getErrorCode();
          }
        });
  }

  static Document index(String name, Document key) {
    return new Document("key", key).append("name", name);
  }

  /** What currentOp tells of a build that is under way. */
  Document awaitProgress(Future<Integer> build) {
    return Eventually.yields(
        "a build in currentOp",
        PATIENCE,
        () -> build.isDone() ? Optional.of(new Document()) : progress());
  }

  private Optional<Document> progress() {
    Document reply = client.getDatabase("admin").runCommand(new Document("currentOp", 1));
    return reply.getList("inprog", Document.class).stream()
        .filter(operation -> operation.getString("msg") != null)
        .filter(operation -> operation.getString("msg").startsWith("Index Build:"))
        .findFirst();
  }

  Set<String> indexNames() {
    Set<String> names = new java.util.TreeSet<>();
    collection().listIndexes().forEach(index -> names.add(index.getString("name")));
    return names;
  }

  void assertValid() {
    Document report = database().runCommand(new Document("validate", "readings"));
    assertThat(report.getBoolean("valid")).as("validate: %s", report.toJson()).isTrue();
    assertThat(report.get("nrecords", Number.class).longValue())
        .isEqualTo(collection().estimatedDocumentCount());
  }

  /** An index answers as the documents themselves do. */
  void assertAnswersAgree(Document key, Bson... filters) {
    for (Bson filter : filters) {
      assertThat(ids(filter, key))
          .as("%s", filter)
          .isEqualTo(ids(filter, new Document("$natural", 1)));
    }
  }

  private List<Integer> ids(Bson filter, Document hint) {
    List<Integer> ids = new ArrayList<>();
    collection().find(filter).hint(hint).forEach(document -> ids.add(document.getInteger("_id")));
    ids.sort(null);
    return ids;
  }

  static Bson[] someOf(String field, Object... values) {
    return java.util.Arrays.stream(values)
        .map(value -> Filters.eq(field, value))
        .toArray(Bson[]::new);
  }
}
