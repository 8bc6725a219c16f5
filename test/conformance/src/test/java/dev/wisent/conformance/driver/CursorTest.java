package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Sorts.descending;
import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class CursorTest {

  private static final int DOCUMENTS = 1000;
  private static final int CURSOR_NOT_FOUND = 43;

  @Test
  void readsOverSeveralBatchesInInsertionOrder(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);

    assertThat(inOrderOfIds(ids(collection.find().batchSize(7).into(new ArrayList<>()))))
        .isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
  }

  @Test
  void firstBatchHas101DocumentsByDefault(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);

    try (MongoCursor<Document> cursor = collection.find().cursor()) {
      assertThat(cursor.available()).isEqualTo(101);
      assertThat(cursor.getServerCursor()).isNotNull();
    }
  }

  @Test
  void sortsSkipsAndLimitsAcrossBatches(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);

    List<Document> found =
        collection
            .find(gte("_id", 100))
            .sort(descending("_id"))
            .skip(10)
            .limit(300)
            .batchSize(50)
            .into(new ArrayList<>());

    assertThat(ids(found))
        .isEqualTo(IntStream.range(0, 300).mapToObj(i -> DOCUMENTS - 11 - i).toList());
  }

  @Test
  void closingACursorFreesItOnTheServer(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);
    long before = openCursors(fixture);
    MongoCursor<Document> cursor = collection.find().batchSize(2).cursor();
    assertThat(openCursors(fixture)).isEqualTo(before + 1);

    cursor.close();

    Eventually.holds(
        "the cursor is gone", Duration.ofSeconds(60), () -> openCursors(fixture) == before);
  }

  @Test
  void readingFromAKilledCursorFails(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);
    try (MongoCursor<Document> cursor = collection.find().batchSize(2).cursor()) {
      Document reply =
          fixture
              .database()
              .runCommand(
                  new Document("killCursors", collection.getNamespace().getCollectionName())
                      .append("cursors", List.of(cursor.getServerCursor().getId())));
      assertThat(reply.getList("cursorsKilled", Long.class)).hasSize(1);

      assertThatThrownBy(() -> cursor.forEachRemaining(document -> {}))
          .isInstanceOfAny(MongoCursorNotFoundException.class, MongoCommandException.class)
          .extracting("code")
          .isEqualTo(CURSOR_NOT_FOUND);
    }
  }

  @Test
  void writesDuringAScanDoNotDisturbIt(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);
    List<Integer> seen = new ArrayList<>();
    int before = -1;
    try (MongoCursor<Document> cursor = collection.find().batchSize(10).cursor()) {
      while (cursor.hasNext()) {
        int id = cursor.next().getInteger("_id");
        seen.add(id);
        // At the cursor and behind it.
        collection.updateOne(new Document("_id", id), new Document("$inc", new Document("n", 1)));
        collection.deleteOne(new Document("_id", before));
        before = id;
      }
    }
    assertThat(inOrderOfIds(seen)).isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
    assertThat(collection.countDocuments()).isEqualTo(1);
  }

  @Test
  void singleBatchLeavesNoCursor(DriverFixture fixture) {
    filled(fixture);

    Document reply =
        fixture
            .database()
            .runCommand(
                new Document("find", "numbers").append("batchSize", 3).append("singleBatch", true));

    Document cursor = reply.get("cursor", Document.class);
    assertThat(cursor.getLong("id")).isZero();
    assertThat(cursor.getList("firstBatch", Document.class)).hasSize(3);
  }

  @Test
  void batchesStopAt16MiB(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("large");
    String megabyte = "x".repeat(1024 * 1024);
    for (int i = 0; i < 20; i++) {
      collection.insertOne(new Document("_id", i).append("text", megabyte));
    }
    try (MongoCursor<Document> cursor = collection.find().batchSize(1000).cursor()) {
      assertThat(cursor.available()).isBetween(1, 16);
      List<Document> rest = new ArrayList<>();
      cursor.forEachRemaining(rest::add);
      assertThat(rest).hasSize(20);
    }
  }

  private static MongoCollection<Document> filled(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("numbers");
    collection.insertMany(
        IntStream.range(0, DOCUMENTS).mapToObj(i -> new Document("_id", i)).toList());
    return collection;
  }

  private static List<Integer> ids(List<Document> documents) {
    return documents.stream().map(document -> document.getInteger("_id")).toList();
  }

  private static long openCursors(DriverFixture fixture) {
    return fixture
        .client()
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("metrics", Document.class)
        .get("cursor", Document.class)
        .get("open", Document.class)
        .get("total", Number.class)
        .longValue();
  }
}
