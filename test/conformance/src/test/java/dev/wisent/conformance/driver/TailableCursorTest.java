package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.CreateCollectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class TailableCursorTest {

  private static final int BAD_VALUE = 2;
  private static final int CAPPED_POSITION_LOST = 136;

  @Test
  void awaitsWhatIsInsertedLater(DriverFixture fixture) throws Exception {
    MongoCollection<Document> collection = capped(fixture, 100);
    collection.insertOne(new Document("n", 0));
    try (MongoCursor<Document> cursor =
        collection.find().cursorType(CursorType.TailableAwait).cursor()) {
      assertThat(cursor.next().getInteger("n")).isZero();
      CompletableFuture<List<Integer>> reader =
          CompletableFuture.supplyAsync(
              () -> IntStream.range(0, 5).mapToObj(i -> cursor.next().getInteger("n")).toList());
      for (int n = 1; n <= 5; n++) {
        collection.insertOne(new Document("n", n));
      }

      assertThat(reader.get(60, TimeUnit.SECONDS)).containsExactly(1, 2, 3, 4, 5);
    }
  }

  @Test
  void wakesUpLongBeforeTheAwaitTimeIsOver(DriverFixture fixture) throws Exception {
    MongoCollection<Document> collection = capped(fixture, 100);
    collection.insertOne(new Document("n", 0));
    try (MongoCursor<Document> cursor =
        collection
            .find()
            .cursorType(CursorType.TailableAwait)
            .maxAwaitTime(300, TimeUnit.SECONDS)
            .cursor()) {
      cursor.next();
      CompletableFuture<Document> reader = CompletableFuture.supplyAsync(cursor::next);
      collection.insertOne(new Document("n", 1));

      assertThat(reader.get(60, TimeUnit.SECONDS).getInteger("n")).isEqualTo(1);
    }
  }

  @Test
  void givesUpAfterTheAwaitTime(DriverFixture fixture) {
    MongoCollection<Document> collection = capped(fixture, 100);
    collection.insertOne(new Document("n", 0));
    try (MongoCursor<Document> cursor =
        collection
            .find()
            .cursorType(CursorType.TailableAwait)
            .maxAwaitTime(300, TimeUnit.MILLISECONDS)
            .cursor()) {
      cursor.next();
      long before = System.nanoTime();

      assertThat(cursor.tryNext()).isNull();

      Duration waited = Duration.ofNanos(System.nanoTime() - before);
      assertThat(waited).isGreaterThan(Duration.ofMillis(250));
      assertThat(cursor.getServerCursor()).isNotNull();
    }
  }

  @Test
  void withoutAwaitDataReturnsAtOnceAndStaysOpen(DriverFixture fixture) {
    MongoCollection<Document> collection = capped(fixture, 100);
    collection.insertOne(new Document("n", 0));
    try (MongoCursor<Document> cursor =
        collection.find().cursorType(CursorType.Tailable).cursor()) {
      cursor.next();
      assertThat(cursor.tryNext()).isNull();
      collection.insertOne(new Document("n", 1));
      assertThat(cursor.tryNext()).isNotNull();
    }
  }

  @Test
  void keepsTheNewestInInsertionOrder(DriverFixture fixture) {
    MongoCollection<Document> collection = capped(fixture, 10);
    for (int n = 0; n < 25; n++) {
      collection.insertOne(new Document("n", n));
    }

    assertThat(collection.find().map(d -> d.getInteger("n")).into(new ArrayList<>()))
        .isEqualTo(IntStream.range(15, 25).boxed().toList());
    assertThat(
            collection
                .find()
                .sort(new Document("$natural", -1))
                .map(d -> d.getInteger("n"))
                .first())
        .isEqualTo(24);
  }

  @Test
  void aCursorThatWasOvertakenDies(DriverFixture fixture) {
    MongoCollection<Document> collection = capped(fixture, 5);
    for (int n = 0; n < 5; n++) {
      collection.insertOne(new Document("n", n));
    }
    try (MongoCursor<Document> cursor =
        collection.find().cursorType(CursorType.Tailable).batchSize(2).cursor()) {
      cursor.next();
      cursor.next();
      for (int n = 5; n < 30; n++) {
        collection.insertOne(new Document("n", n));
      }

      assertThatThrownBy(cursor::next)
          .isInstanceOf(MongoException.class)
          .extracting("code")
          .isEqualTo(CAPPED_POSITION_LOST);
    }
  }

  @Test
  void refusesToTailAnOrdinaryCollection(DriverFixture fixture) {
    fixture.collection("ordinary").insertOne(new Document());

    assertThatThrownBy(
            () -> fixture.collection("ordinary").find().cursorType(CursorType.Tailable).cursor())
        .isInstanceOf(MongoException.class)
        .extracting("code")
        .isEqualTo(BAD_VALUE);
  }

  private static MongoCollection<Document> capped(DriverFixture fixture, int documentsMax) {
    fixture
        .database()
        .createCollection(
            "capped",
            new CreateCollectionOptions()
                .capped(true)
                .sizeInBytes(1 << 20)
                .maxDocuments(documentsMax));
    return fixture.collection("capped");
  }
}
