package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The primary of a shard deletes what tasks tell, and nothing that the shard owns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeDeleterTest {
  private static final int DOCUMENTS = 100;
  private static final Document KEY = new Document("k", 1);
  private static final WriteConcern MAJORITY = WriteConcern.MAJORITY;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private TestShard shard;
  private int major;
  private int collections;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  @AfterEach
  void defaults() {
    set("disableResumableRangeDeleter", false);
    set("orphanCleanupDelaySecs", 900);
    set("rangeDeleterBatchSize", Integer.MAX_VALUE);
    set("rangeDeleterBatchDelayMS", 20);
  }

  private void set(String parameter, Object value) {
    shard.admin(new Document("setParameter", 1).append(parameter, value));
  }

  private MongoDatabase database(String name) {
    return shard.client().getDatabase(name);
  }

  private MongoCollection<Document> direct(String name) {
    return database("test").getCollection(name).withWriteConcern(MAJORITY);
  }

  private MongoCollection<Document> tasks() {
    return database("config").getCollection("rangeDeletions").withWriteConcern(MAJORITY);
  }

  private static Document bound(Object value) {
    return new Document("k", value);
  }

  private void own(String name, Object from, Object to) {
    shard.own("test." + name, KEY, ++major, range(bound(from), bound(to)));
  }

  private String collection() {
    String name = "c" + ++collections;
    own(name, new MinKey(), new MaxKey());
    direct(name).createIndex(KEY);
    fill(name);
    return name;
  }

  private void fill(String name) {
    direct(name)
        .insertMany(
            IntStream.range(0, DOCUMENTS)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("x", "y".repeat(i)))
                .toList());
  }

  private UUID uuid(String name) {
    Document found = database("test").listCollections().filter(new Document("name", name)).first();
    return found.get("info", Document.class).get("uuid", UUID.class);
  }

  private Document task(String name, Object min, Object max, String when) {
    return new Document("_id", UUID.randomUUID())
        .append("nss", "test." + name)
        .append("collectionUuid", uuid(name))
        .append("donorShardId", "first")
        .append("range", range(bound(min), bound(max)))
        .append("whenToClean", when)
        .append("numOrphanDocs", 80L);
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline for " + what).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private void awaitNoTask(String name) {
    await("the end of the deletion", () -> countTasks(name) == 0);
  }

  private long countTasks(String name) {
    return tasks().countDocuments(Filters.eq("nss", "test." + name));
  }

  private List<Integer> keys(String name) {
    return direct(name).find().sort(KEY).map(each -> each.getInteger("k")).into(new ArrayList<>());
  }

  private static List<Integer> from(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  private Document statistics() {
    return shard.admin(new Document("serverStatus", 1)).get("shardingStatistics", Document.class);
  }

  @Test
  void aRangeIsDeletedAndCounted() {
    String name = collection();
    long documents = statistics().getLong("countDocsDeletedByRangeDeleter");
    long bytes = statistics().getLong("countBytesDeletedByRangeDeleter");
    own(name, new MinKey(), 20);
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
    assertThat(orphans(name)).isZero();
    assertThat(direct(name).estimatedDocumentCount()).isEqualTo(20);
    assertThat(statistics().getLong("countDocsDeletedByRangeDeleter")).isEqualTo(documents + 80);
    assertThat(statistics().getLong("countBytesDeletedByRangeDeleter"))
        .isGreaterThan(bytes + 80 * 20);
    List<Document> entries =
        database("local")
            .getCollection("oplog.rs")
            .find(Filters.and(Filters.eq("ns", "test." + name), Filters.eq("op", "d")))
            .into(new ArrayList<>());
    assertThat(entries).hasSize(80).allMatch(each -> each.getBoolean("fromMigrate", false));
  }

  @Test
  void whatIsOwnedStays() {
    String name = collection();
    own(name, 30, 60);
    tasks().insertOne(task(name, 0, 90, "now"));
    awaitNoTask(name);
    List<Integer> left = new ArrayList<>(from(30, 60));
    left.addAll(from(90, DOCUMENTS));
    assertThat(keys(name)).isEqualTo(left);
  }

  /** A task that is left over from when the range went. */
  @Test
  void whatComesWithAMigrationStays() {
    String name = collection();
    own(name, 0, 20);
    MongoCollection<Document> receptions =
        database("config").getCollection("migrationRecipients").withWriteConcern(MAJORITY);
    receptions.insertOne(
        new Document("_id", UUID.randomUUID())
            .append("collectionUuid", uuid(name))
            .append("range", range(bound(30), bound(50))));
    tasks().insertOne(task(name, 20, 90, "now"));
    awaitNoTask(name);
    receptions.deleteMany(new Document());
    List<Integer> left = new ArrayList<>(from(0, 20));
    left.addAll(from(30, 50));
    left.addAll(from(90, DOCUMENTS));
    assertThat(keys(name)).isEqualTo(left);
  }

  @Test
  void aPendingTaskWaitsForItsMigration() {
    String name = collection();
    own(name, 0, 20);
    Document task = task(name, 20, new MaxKey(), "now").append("pending", true);
    tasks().insertOne(task);
    String other = collection();
    own(other, 0, 20);
    tasks().insertOne(task(other, 20, new MaxKey(), "now"));
    awaitNoTask(other);
    assertThat(keys(name)).hasSize(DOCUMENTS);
    tasks().updateOne(Filters.eq("_id", task.get("_id")), Updates.unset("pending"));
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
  }

  @Test
  void aDelayedTaskIsCarriedOutWhenItIsWaitedFor() {
    String name = collection();
    own(name, 0, 20);
    tasks().insertOne(task(name, 20, 90, "delayed"));
    String other = collection();
    own(other, 0, 20);
    tasks().insertOne(task(other, 20, new MaxKey(), "now"));
    awaitNoTask(other);
    assertThat(keys(name)).hasSize(DOCUMENTS);
    Document reply = shard.admin(new Document("cleanupOrphaned", "test." + name));
    assertThat(reply).doesNotContainKey("stoppedAtKey");
    assertThat(countTasks(name)).isZero();
    List<Integer> left = new ArrayList<>(from(0, 20));
    // No task is about these.
    left.addAll(from(90, DOCUMENTS));
    assertThat(keys(name)).isEqualTo(left);
  }

  @Test
  void theDelayCanBeChanged() {
    String name = collection();
    own(name, 0, 20);
    tasks().insertOne(task(name, 20, new MaxKey(), "delayed"));
    set("orphanCleanupDelaySecs", 0);
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
  }

  @Test
  void smallBatchesShowTheirProgress() {
    String name = collection();
    own(name, 0, 20);
    set("rangeDeleterBatchSize", 7);
    set("rangeDeleterBatchDelayMS", 600_000);
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    await("the first batch", () -> direct(name).countDocuments() == DOCUMENTS - 7);
    await("its count", () -> tasks().find(Filters.eq("numOrphanDocs", 73L)).first() != null);
    assertThat(tasks().find(Filters.eq("numOrphanDocs", 73L)).first().getBoolean("processing"))
        .isTrue();
    assertThat(statistics().getLong("rangeDeleterTasks")).isEqualTo(1);
    Document running = shard.admin(new Document("currentOp", 1).append("desc", "range-deleter"));
    assertThat(running.getList("inprog", Document.class))
        .hasSize(1)
        .allMatch(each -> each.getString("ns").equals("test." + name));
    set("rangeDeleterBatchDelayMS", 0);
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
  }

  @Test
  void aKilledDeletionBeginsAnew() {
    String name = collection();
    own(name, 0, 20);
    set("rangeDeleterBatchSize", 7);
    set("rangeDeleterBatchDelayMS", 600_000);
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    await("the first batch", () -> direct(name).countDocuments() == DOCUMENTS - 7);
    Document running =
        shard
            .admin(new Document("currentOp", 1).append("desc", "range-deleter"))
            .getList("inprog", Document.class)
            .getFirst();
    shard.admin(new Document("killOp", 1).append("op", running.get("opid")));
    set("rangeDeleterBatchDelayMS", 0);
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
    Document loops = shard.admin(new Document("serverStatus", 1));
    assertThat(loops.toJson()).contains("range-deleter");
  }

  @Test
  void aDroppedCollectionEndsItsTask() {
    String name = collection();
    own(name, 0, 20);
    Document task = task(name, 20, new MaxKey(), "now");
    direct(name).drop();
    direct(name).createIndex(KEY);
    fill(name);
    tasks().insertOne(task);
    awaitNoTask(name);
    assertThat(keys(name)).hasSize(DOCUMENTS);
  }

  @Test
  void aRenamedCollectionKeepsItsTask() {
    String name = collection();
    own(name, 0, 20);
    Document task = task(name, 20, new MaxKey(), "now");
    shard.admin(new Document("renameCollection", "test." + name).append("to", "test.renamed"));
    own("renamed", 0, 20);
    tasks().insertOne(task);
    awaitNoTask(name);
    assertThat(keys("renamed")).isEqualTo(from(0, 20));
  }

  @Test
  void nothingIsDeletedOrWaitedForWhileThatIsOff() {
    String name = collection();
    own(name, 0, 20);
    set("disableResumableRangeDeleter", true);
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    assertThat(
            failure(() -> shard.admin(new Document("cleanupOrphaned", "test." + name)))
                .getNumber("code")
                .intValue())
        .isEqualTo(313);
    assertThat(keys(name)).hasSize(DOCUMENTS);
    set("disableResumableRangeDeleter", false);
    awaitNoTask(name);
  }

  @Test
  void cleanupOrphanedChecksItsArguments() {
    String name = collection();
    Document command = new Document("cleanupOrphaned", "test." + name);
    shard.admin(new Document(command).append("startingFromKey", bound(new MinKey())));
    shard.admin(new Document(command).append("startingFromKey", new Document()));
    shard.admin(new Document("cleanupOrphaned", "test.unknown"));
    assertThat(
            failure(
                    () ->
                        shard.admin(
                            new Document(command).append("startingFromKey", new Document("z", 1))))
                .getNumber("code")
                .intValue())
        .isEqualTo(265);
    assertThat(
            failure(() -> shard.admin(new Document("cleanupOrphaned", "nodatabase")))
                .getNumber("code")
                .intValue())
        .isEqualTo(73);
  }

  @Test
  void aCommandThatWaitsHasItsTime() {
    String name = collection();
    own(name, 0, 20);
    tasks().insertOne(task(name, 20, new MaxKey(), "now").append("pending", true));
    assertThatThrownBy(
            () ->
                shard.admin(
                    new Document("cleanupOrphaned", "test." + name).append("maxTimeMS", 200)))
        .isInstanceOf(MongoExecutionTimeoutException.class);
    tasks().deleteMany(new Document());
  }

  @Test
  void keysMayBeHashedAndIndexesMissing() {
    String hashed = "hashed";
    Document key = new Document("k", "hashed");
    shard.own("test.hashed", key, ++major, range(bound(new MinKey()), bound(new MaxKey())));
    direct(hashed).createIndex(key);
    fill(hashed);
    shard.own("test.hashed", key, ++major, range(bound(0L), bound(new MaxKey())));
    long orphans = orphans(hashed);
    assertThat(orphans).isBetween(10L, 90L);
    tasks().insertOne(task(hashed, new MinKey(), 0L, "now"));
    awaitNoTask(hashed);
    assertThat(orphans(hashed)).isZero();
    assertThat(keys(hashed)).hasSize((int) (DOCUMENTS - orphans));

    String scanned = "scanned";
    own(scanned, 0, 20);
    fill(scanned);
    tasks().insertOne(task(scanned, 30, new MaxKey(), "now"));
    awaitNoTask(scanned);
    assertThat(keys(scanned)).isEqualTo(from(0, 30));
  }

  private long orphans(String name) {
    return database("test")
        .runCommand(new Document("collStats", name))
        .get("numOrphanDocs", Number.class)
        .longValue();
  }

  @Test
  void theRangeOfAKeyThatHasMoreFieldsNowIsFound() {
    String name = collection();
    Document refined = new Document("k", 1).append("x", 1);
    direct(name).createIndex(refined);
    shard.own(
        "test." + name,
        refined,
        ++major,
        range(bound(new MinKey()).append("x", new MinKey()), bound(20).append("x", new MinKey())));
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    awaitNoTask(name);
    assertThat(keys(name)).isEqualTo(from(0, 20));
  }

  @Test
  void aWrongDocumentStopsNoOther() {
    tasks().insertOne(new Document("_id", "wrong").append("nss", "test.x"));
    String name = collection();
    own(name, 0, 20);
    tasks().insertOne(task(name, 20, new MaxKey(), "now"));
    awaitNoTask(name);
    tasks().deleteMany(new Document());
  }

  @Test
  void changeStreamsTellNothingOfIt() {
    String name = collection();
    own(name, 0, 20);
    try (var events = direct(name).watch().cursor()) {
      tasks().insertOne(task(name, 20, new MaxKey(), "now"));
      awaitNoTask(name);
      direct(name).deleteOne(Filters.eq("_id", 3));
      assertThat(events.next().getDocumentKey().getNumber("_id").intValue()).isEqualTo(3);
    }
  }
}
