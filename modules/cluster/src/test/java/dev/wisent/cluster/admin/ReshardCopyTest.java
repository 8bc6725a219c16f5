package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a copy of a collection to another shard does beside clients, and what is shown of it. */
class ReshardCopyTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 100;

  private static MongoCollection<Document> prepare(String database) {
    CLUSTER.create(database, 0);
    MongoCollection<Document> collection = CLUSTER.collection(database + ".c");
    collection.insertMany(AdminCluster.documents(DOCUMENTS));
    return collection;
  }

  private static CompletableFuture<BsonDocument> move(String database) {
    return CompletableFuture.supplyAsync(
        () -> CLUSTER.admin("{moveCollection: '%s.c', toShard: 'shard1'}".formatted(database)));
  }

  /** Delays some calls of a command of the recipient. */
  private static void delay(int times, int millis) {
    CLUSTER
        .onShard(1, "admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'failCommand', mode: {times: %d}, data:"
                        + " {failCommands: ['_shardsvrReshardDocuments'], blockConnection: true,"
                        + " blockTimeMS: %d}}")
                    .formatted(times, millis)));
  }

  private static List<Document> operations(int shard, String command) {
    return CLUSTER
        .onShard(shard, "admin")
        .runCommand(
            new Document("currentOp", 1)
                .append("command." + command, new Document("$exists", true)))
        .getList("inprog", Document.class);
  }

  private static void awaitDelayed() {
    CLUSTER.await(
        "documents on the way", () -> !operations(1, "_shardsvrReshardDocuments").isEmpty());
  }

  private static long figure(String name) {
    return CLUSTER
        .onShard(0, "admin")
        .runCommand(Document.parse("{serverStatus: 1}"))
        .get("shardingStatistics", Document.class)
        .get("resharding", Document.class)
        .getLong(name);
  }

  @Test
  void aCopyPausesAsLongAsItsBatchTookWhileThereAreClients() {
    MongoCollection<Document> collection = prepare("paced");
    long before = figure("totalDonorPauseTimeMillis");
    // During the first the donor notices the copy, from then on what clients do meanwhile.
    delay(2, 2500);
    CompletableFuture<BsonDocument> moved = move("paced");
    while (!moved.isDone()) {
      assertThat(collection.find(Filters.eq("_id", 1)).first()).isNotNull();
    }
    moved.join();
    assertThat(figure("totalDonorPauseTimeMillis")).isGreaterThan(before);
    assertThat(collection.countDocuments()).isEqualTo(DOCUMENTS);
  }

  private static Document copy(int shard) {
    return operations(shard, "_shardsvrReshardCopy").getFirst();
  }

  /** What has changed meanwhile is no part of the copy. */
  @Test
  void documentsCountAsCopiedOnce() {
    MongoCollection<Document> collection = prepare("counted");
    delay(1, 5000);
    CompletableFuture<BsonDocument> moved = move("counted");
    awaitDelayed();
    assertThat(copy(0))
        .containsEntry("donorState", "donating-initial-data")
        .containsEntry("approxDocumentsToCopy", (long) DOCUMENTS);
    collection.updateMany(Filters.empty(), Updates.set("changed", true));
    moved.join();
    BsonDocument line =
        CLUSTER
            .metadata("changelog")
            .find(Filters.and(Filters.eq("ns", "counted.c"), Filters.exists("details.cloneMillis")))
            .first();
    assertThat(line.getDocument("details").getNumber("documentsCopied").longValue())
        .isEqualTo(DOCUMENTS);
    assertThat(collection.countDocuments(Filters.eq("changed", true))).isEqualTo(DOCUMENTS);
  }

  @Test
  void whatIsCaughtUpIsShownAsThat() {
    MongoCollection<Document> collection = prepare("late");
    Runnable goOn = CLUSTER.hold("moveCollection.clone.after");
    long before = figure("documentsSent");
    CompletableFuture<BsonDocument> moved = move("late");
    CLUSTER.await("the copy", () -> figure("documentsSent") > before);
    delay(1, 5000);
    collection.updateMany(Filters.empty(), Updates.set("changed", true));
    awaitDelayed();
    goOn.run();
    var states = new HashSet<String>();
    // On a machine that is too slow to see it nothing is shown.
    CLUSTER.await(
        "a state",
        () -> {
          for (Document each : operations(0, "_shardsvrReshardCopy")) {
            states.add(each.getString("donorState"));
          }
          return !states.isEmpty() || moved.isDone();
        });
    assertThat(states).isSubsetOf("donating-oplog-entries");
    moved.join();
  }

  private static String state(String namespace) {
    BsonDocument operation =
        CLUSTER.metadata("reshardingOperations").find(Filters.eq("ns", namespace)).first();
    return operation == null ? null : operation.getString("state").getValue();
  }

  @Test
  void theCoordinatorShowsTheStateThatIsStored() {
    prepare("blocked");
    Runnable goOn = CLUSTER.hold("moveCollection.blockWrites.after");
    CompletableFuture<BsonDocument> moved = move("blocked");
    try {
      CLUSTER.await("writers wait", () -> "blocking-writes".equals(state("blocked.c")));
      Document running =
          CLUSTER
              .config("{currentOp: true, ns: 'blocked.c', coordinatorState: {$exists: true}}")
              .getList("inprog", Document.class)
              .getFirst();
      assertThat(running).containsEntry("coordinatorState", "blocking-writes");
    } finally {
      goOn.run();
    }
    moved.join();
  }
}
