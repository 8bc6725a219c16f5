package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tasks that a shard makes for what it has of a collection and does not own. */
class RecreatedDeletionsTest {
  private static final String NAME = "test.c";
  private static final Document KEY = new Document("k", 1);
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private TestShard shard;

  @BeforeEach
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
    shard.admin(
        new Document("_shardsvrCreateCollection", NAME)
            .append("uuid", TestShard.COLLECTION)
            .append("indexes", List.of(new Document("key", KEY).append("name", "k_1")))
            .append("writeConcern", new Document("w", "majority")));
    own(20, 60);
    collection()
        .insertMany(
            IntStream.range(0, 100).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
    delete(false);
  }

  @AfterEach
  void stop() {
    shard.close();
  }

  private void own(Object from, Object to) {
    shard.own(NAME, KEY, 1, range(bound(from), bound(to)));
  }

  /** Whether tasks are carried out. */
  private void delete(boolean enabled) {
    shard.admin(new Document("setParameter", 1).append("disableResumableRangeDeleter", !enabled));
  }

  private MongoCollection<Document> collection() {
    return shard.client().getDatabase("test").getCollection("c");
  }

  private MongoCollection<Document> config(String name) {
    return shard
        .client()
        .getDatabase("config")
        .getCollection(name)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  private static Document bound(Object value) {
    return new Document("k", value);
  }

  private static Document recreate() {
    return new Document("_shardsvrRecreateRangeDeletionTasks", NAME)
        .append("uuid", TestShard.COLLECTION)
        .append("writeConcern", new Document("w", "majority"));
  }

  private List<Document> tasks() {
    return config("rangeDeletions")
        .find()
        .sort(Sorts.ascending("range.min"))
        .into(new ArrayList<>());
  }

  private List<Document> ranges() {
    return tasks().stream().map(each -> each.get("range", Document.class)).toList();
  }

  private void awaitNoTask() {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!tasks().isEmpty()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private List<Integer> keys() {
    return collection().find().sort(KEY).map(each -> each.getInteger("k")).into(new ArrayList<>());
  }

  private static Document reception() {
    return new Document("_id", UUID.randomUUID())
        .append("collectionUuid", TestShard.COLLECTION)
        .append("range", range(bound(80), bound(90)));
  }

  /** A task of a range that is coming would delete what has just come. */
  @Test
  void whatIsComingAndWhatHasATaskIsLeftOut() {
    config("migrationRecipients").insertOne(reception());
    config("rangeDeletions")
        .insertOne(
            new Document("_id", UUID.randomUUID())
                .append("nss", NAME)
                .append("collectionUuid", TestShard.COLLECTION)
                .append("range", range(bound(55), bound(70)))
                .append("pending", true));
    shard.admin(recreate());
    List<Document> made =
        List.of(
            range(bound(new MinKey()), bound(20)),
            range(bound(55), bound(70)),
            range(bound(70), bound(80)),
            range(bound(90), bound(new MaxKey())));
    assertThat(ranges()).isEqualTo(made);
    Document first = tasks().getFirst();
    assertThat(first)
        .containsEntry("nss", NAME)
        .containsEntry("collectionUuid", TestShard.COLLECTION)
        .containsEntry("donorShardId", "first")
        .containsEntry("numOrphanDocs", 20L)
        .containsEntry("whenToClean", "now")
        .containsEntry("keyPattern", KEY);
    shard.admin(recreate());
    assertThat(ranges()).isEqualTo(made);
    config("rangeDeletions").deleteOne(new Document("pending", true));
    delete(true);
    awaitNoTask();
    List<Integer> left = new ArrayList<>(IntStream.range(20, 70).boxed().toList());
    left.addAll(IntStream.range(80, 90).boxed().toList());
    assertThat(keys()).isEqualTo(left);
  }

  @Test
  void rangesWithoutDocumentsNeedNone() {
    collection().deleteMany(new Document("k", new Document("$lt", 20)));
    shard.admin(recreate().append("skipEmptyRanges", true));
    assertThat(ranges()).containsExactly(range(bound(60), bound(new MaxKey())));
  }

  @Test
  void anotherCollectionOfTheNameIsLeftAlone() {
    shard.admin(recreate().append("uuid", UUID.randomUUID()));
    shard.admin(recreate().append("_shardsvrRecreateRangeDeletionTasks", "test.none"));
    assertThat(tasks()).isEmpty();
  }

  /** Its coordinator has failed, and migrations may begin. */
  @Test
  void aLateRequestMakesNone() {
    UUID run = UUID.randomUUID();
    shard.admin(numbered(new Document("_shardsvrFenceCoordinator", NAME), run, 2));
    assertThat(failure(() -> shard.admin(numbered(recreate(), run, 1))).getInt32("code").getValue())
        .isEqualTo(117);
    assertThat(tasks()).isEmpty();
  }

  private static Document numbered(Document command, UUID run, long call) {
    Document coordinator = new Document("id", run).append("attempt", 1L).append("call", call);
    return command.append("routing", new Document("coordinator", coordinator));
  }
}
