package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of migrations while they run and afterwards. */
class ShownMigrationsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String POINT = "migration.enter";

  private static void sharded(String namespace) {
    CLUSTER.create(namespace.substring(0, namespace.indexOf('.')), 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    CLUSTER.collection(namespace).insertMany(AdminCluster.documents(100));
  }

  private static CompletableFuture<Void> move(String namespace) {
    return CompletableFuture.runAsync(
        () -> CLUSTER.admin("{moveChunk: '%s', find: {k: 1}, to: 'shard1'}".formatted(namespace)));
  }

  private static void failPoint(String mode) {
    CLUSTER
        .onShard(0, "admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'coordinatorPhase', mode: %s,"
                        + " data: {point: '%s', action: 'hang'}}")
                    .formatted(mode, POINT)));
  }

  private static List<Document> shown(String namespace) {
    return CLUSTER
        .database("admin")
        .aggregate(
            List.of(
                Document.parse("{$currentOp: {allUsers: true}}"),
                Document.parse(
                    "{$match: {ns: '%s', 'migration.role': {$exists: true}}}"
                        .formatted(namespace))))
        .into(new ArrayList<>());
  }

  private static Document migration(List<Document> shown, String role) {
    return shown.stream()
        .map(each -> each.get("migration", Document.class))
        .filter(each -> role.equals(each.getString("role")))
        .findFirst()
        .orElse(new Document());
  }

  private static BsonDocument line(String namespace, String what) {
    return CLUSTER
        .metadata("changelog")
        .find(Filters.and(Filters.eq("ns", namespace), Filters.eq("what", what)))
        .first();
  }

  @Test
  void bothShardsAndTheConfigServersTellHowFarAMigrationIs() {
    sharded("shown.c");
    failPoint("'alwaysOn'");
    CompletableFuture<Void> moved = move("shown.c");
    try {
      CLUSTER.await(
          "the critical section",
          () -> "criticalSection".equals(migration(shown("shown.c"), "donor").getString("phase")));
      List<Document> shown = shown("shown.c");
      assertThat(migration(shown, "donor"))
          .containsEntry("fromShard", "shard0")
          .containsEntry("toShard", "shard1")
          .containsEntry("documentsCopied", 100L)
          .containsEntry("documentsEstimated", 100L)
          .containsEntry("toBeSettled", false)
          .containsKeys("id", "min", "max", "bytesCopied", "bytesEstimated", "stepMillis");
      assertThat(migration(shown, "recipient")).containsEntry("documentsCopied", 100L);
      List<Document> coordinators =
          CLUSTER
              .config("{currentOp: 1, desc: 'moveRangeCoordinator'}")
              .getList("inprog", Document.class);
      assertThat(coordinators).hasSize(1);
      assertThat(coordinators.getFirst().getString("msg")).startsWith("flip");
      assertThat(coordinators.getFirst().get("migration", Document.class))
          .containsEntry("ns", "shown.c")
          .containsEntry("documentsCopied", 100L)
          .containsEntry("decided", false);
    } finally {
      failPoint("'off'");
    }
    moved.join();
    CLUSTER.await("the end", () -> shown("shown.c").isEmpty());
    BsonDocument from = line("shown.c", "moveChunk.from").getDocument("details");
    assertThat(from).containsKeys("step 1 of 7", "step 7 of 7", "min", "max", "from", "to");
    assertThat(from.getArray("steps")).hasSize(7);
    assertThat(from.getString("note").getValue()).isEqualTo("success");
    assertThat(line("shown.c", "moveChunk.to").getDocument("details")).containsKey("step 6 of 6");
  }

  @Test
  void aMigrationIsKilledOnTheDonor() {
    sharded("killed.c");
    failPoint("'alwaysOn'");
    CompletableFuture<Void> moved = move("killed.c");
    String id;
    try {
      CLUSTER.await(
          "the critical section",
          () -> "criticalSection".equals(migration(shown("killed.c"), "donor").getString("phase")));
      id =
          shown("killed.c").stream()
              .filter(each -> each.getString("shard").equals("shard0"))
              .findFirst()
              .orElseThrow()
              .getString("opid");
      CLUSTER.admin("{killOp: 1, op: '" + id + "'}");
      CLUSTER.collection("killed.c").countDocuments();
    } finally {
      failPoint("'off'");
    }
    assertThat(moved.handle((done, failure) -> failure).join()).isNotNull();
    assertThat(CLUSTER.collection("killed.c").countDocuments()).isEqualTo(100);
    BsonDocument error = line("killed.c", "moveChunk.error").getDocument("details");
    assertThat(error.getInt32("code").getValue()).isEqualTo(11601);
    assertThat(error.getString("note").getValue()).isEqualTo("aborted");
    // Of these sh.status() counts the failures.
    assertThat(line("killed.c", "moveChunk.from").getDocument("details")).isEqualTo(error);
    CLUSTER.await("the end", () -> shown("killed.c").isEmpty());
  }

  @Test
  void shardingStatisticsHaveTheFieldsOfMongoDb() {
    Document statistics =
        CLUSTER
            .onShard(0, "admin")
            .runCommand(Document.parse("{serverStatus: 1}"))
            .get("shardingStatistics", Document.class);
    assertThat(statistics)
        .containsKeys(
            "countStaleConfigErrors",
            "countDonorMoveChunkStarted",
            "countDonorMoveChunkCommitted",
            "countDonorMoveChunkAborted",
            "totalDonorMoveChunkTimeMillis",
            "totalDonorChunkCloneTimeMillis",
            "totalCriticalSectionCommitTimeMillis",
            "totalCriticalSectionTimeMillis",
            "totalRecipientCriticalSectionTimeMillis",
            "countDocsClonedOnRecipient",
            "countBytesClonedOnRecipient",
            "countDocsClonedOnCatchUpOnRecipient",
            "countBytesClonedOnCatchUpOnRecipient",
            "countDocsClonedOnDonor",
            "countBytesClonedOnDonor",
            "countRecipientMoveChunkStarted",
            "countDocsDeletedByRangeDeleter",
            "countDonorMoveChunkLockTimeout",
            "countDonorMoveChunkAbortConflictingIndexOperation",
            "unfinishedMigrationFromPreviousPrimary",
            "chunkMigrationConcurrency",
            "rangeDeleterTasks",
            "catalogCache");
  }
}
