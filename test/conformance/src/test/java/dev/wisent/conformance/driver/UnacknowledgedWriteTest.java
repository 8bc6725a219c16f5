package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static dev.wisent.conformance.driver.DriverFixture.inAnyOrderOnShards;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class UnacknowledgedWriteTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void arriveWithoutAReply(DriverFixture fixture) {
    MongoCollection<Document> collection = unacknowledged(fixture);

    assertThat(collection.insertOne(new Document("_id", 1)).wasAcknowledged()).isFalse();
    awaitCount(fixture, 1);
    assertThat(collection.updateOne(eq(1), Updates.set("x", 2)).wasAcknowledged()).isFalse();
    Eventually.holds(
        "the update is visible",
        PATIENCE,
        () -> fixture.collection("fire").countDocuments(eq("x", 2)) == 1);
    assertThat(collection.deleteOne(eq(1)).wasAcknowledged()).isFalse();
    awaitCount(fixture, 0);
  }

  @Test
  void doNotDisturbTheConnection(DriverFixture fixture) {
    MongoCollection<Document> fire = unacknowledged(fixture);
    MongoCollection<Document> acknowledged = fixture.collection("fire");
    // A stray reply would be read as the answer to the next command on the same connection.
    for (int i = 0; i < 200; i++) {
      fire.insertOne(new Document("_id", i));
      assertThat(acknowledged.find(eq("none", i)).first()).isNull();
    }
    awaitCount(fixture, 200);
  }

  @Test
  void failSilently(DriverFixture fixture) {
    MongoCollection<Document> collection = unacknowledged(fixture);

    collection.insertOne(new Document("_id", 1));
    collection.insertOne(new Document("_id", 1));
    collection.insertMany(
        IntStream.range(0, 100).mapToObj(i -> new Document("_id", 100 + i)).toList());

    awaitCount(fixture, 101);
  }

  @Test
  void takeLargeBatches(DriverFixture fixture) {
    List<Document> documents =
        IntStream.range(0, 20_000).mapToObj(i -> new Document("_id", i)).toList();

    unacknowledged(fixture).insertMany(documents, inAnyOrderOnShards());

    awaitCount(fixture, documents.size());
  }

  private static MongoCollection<Document> unacknowledged(DriverFixture fixture) {
    return fixture.collection("fire").withWriteConcern(WriteConcern.UNACKNOWLEDGED);
  }

  private static void awaitCount(DriverFixture fixture, long count) {
    Eventually.holds(
        count + " documents are visible",
        PATIENCE,
        () -> fixture.collection("fire").countDocuments() == count);
  }
}
