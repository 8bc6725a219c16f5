package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The next primary goes on with the deletion of a range. */
@Tag("faults")
class RangeDeletionElectionTest {
  private static final int DOCUMENTS = 100;
  private static final Document KEY = new Document("k", 1);
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private static MongoDatabase database(TestShard shard, int member, String name) {
    return shard
        .client(member)
        .getDatabase(name)
        .withReadPreference(ReadPreference.primaryPreferred());
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline for " + what).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static void own(TestShard shard, int major, Object to) {
    shard.own("test.c", KEY, major, range(new Document("k", 0), new Document("k", to)));
  }

  @Test
  void theNextPrimaryGoesOn(@TempDir Path directory) {
    try (var shard = new TestShard(directory, 2)) {
      shard.identify();
      shard.ownDatabase(1);
      own(shard, 1, new MaxKey());
      MongoCollection<Document> documents =
          database(shard, 0, "test").getCollection("c").withWriteConcern(new WriteConcern(2));
      documents.createIndex(KEY);
      documents.insertMany(
          IntStream.range(0, DOCUMENTS)
              .mapToObj(i -> new Document("_id", i).append("k", i))
              .toList());
      own(shard, 2, 20);
      shard.admin(
          new Document("setParameter", 1)
              .append("rangeDeleterBatchSize", 5)
              .append("rangeDeleterBatchDelayMS", 600_000));
      UUID uuid =
          database(shard, 0, "test")
              .listCollections()
              .filter(new Document("name", "c"))
              .first()
              .get("info", Document.class)
              .get("uuid", UUID.class);
      database(shard, 0, "config")
          .getCollection("rangeDeletions")
          .withWriteConcern(new WriteConcern(2))
          .insertOne(
              new Document("_id", UUID.randomUUID())
                  .append("nss", "test.c")
                  .append("collectionUuid", uuid)
                  .append("range", range(new Document("k", 20), new Document("k", new MaxKey())))
                  .append("whenToClean", "now")
                  .append("numOrphanDocs", 80L));
      await("the first batch", () -> documents.countDocuments() == DOCUMENTS - 5);
      shard.admin(new Document("replSetStepDown", 600).append("force", true));
      await(
          "the next primary",
          () ->
              database(shard, 1, "test")
                  .runCommand(new Document("hello", 1), ReadPreference.primaryPreferred())
                  .getBoolean("isWritablePrimary"));
      await(
          "the end of the deletion",
          () -> database(shard, 1, "config").getCollection("rangeDeletions").countDocuments() == 0);
      assertThat(database(shard, 1, "test").getCollection("c").countDocuments()).isEqualTo(20);
    }
  }
}
