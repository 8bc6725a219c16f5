package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.MoveRangeCoordinator;
import dev.wisent.cluster.coordinator.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The coordinator of a migration is killed before and after every phase, the donor around its
 * decision. Whatever comes of the migration, no document is lost or doubled, nothing of it is left
 * behind, and the range can be moved again.
 */
class MigrationKillTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 50;
  private static int databases;

  private static List<Phase> phases() {
    return new MoveRangeCoordinator(
            new ClusterMetadata(null, null, null, null, null, null, null, null))
        .phases();
  }

  @Test
  void aMigrationSurvivesTheDeathOfItsCoordinator() {
    killCoordinator("moveRange.flip.before");
    killCoordinator("moveRange.flip.after");
  }

  @Test
  @Tag("faults")
  void everyPhaseSurvives() {
    for (Phase phase : phases()) {
      killCoordinator("moveRange." + phase.name() + ".before");
      killCoordinator("moveRange." + phase.name() + ".after");
    }
  }

  @Test
  @Tag("faults")
  void everyPhaseCanFail() {
    for (Phase phase : phases()) {
      failPhase(phase, "before");
      failPhase(phase, "after");
    }
  }

  @Test
  void aPhaseThatFailsIsUndone() {
    failPhase(phases().get(1), "after");
  }

  /** Rule H1: an error after the decision of the donor is too late to undo it. */
  @Test
  void whatIsDecidedIsNotUndone() {
    failPhase(phases().get(3), "after");
  }

  /** Rule H1: what the donor has decided stays so, and what it has not decided never happened. */
  @Test
  void theDonorMayDieAroundItsDecision() {
    for (String point : List.of("enter", "decide", "decided")) {
      String database = prepare();
      onDonor("{times: 1}", "migration." + point, "crash");
      tryMove(database);
      awaitEnd(point);
      assertWhole(database, point);
      move(database, 1);
      assertThat(owner(database)).as(point).isEqualTo("shard1");
      assertWhole(database, point);
    }
  }

  /** The next primary of the donor carries the decision out. */
  @Test
  @Tag("faults")
  void anElectionOfTheDonorAfterTheDecisionChangesNothing() {
    String database = prepare();
    onDonor("'alwaysOn'", "migration.decided", "hang");
    CompletableFuture<Void> moved = CompletableFuture.runAsync(() -> tryMove(database));
    CLUSTER.await(
        "the decision",
        () ->
            CLUSTER.onShard(0, "config").getCollection("shard.catalog.moves").countDocuments()
                == 1);
    try {
      CLUSTER
          .onShard(0, "admin")
          .runCommand(
              Document.parse("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}"));
    } catch (MongoException e) {
      // The connection may go.
    }
    CLUSTER.await("a primary", MigrationKillTest::clearDonor);
    moved.join();
    awaitEnd("election");
    assertThat(owner(database)).isEqualTo("shard1");
    assertWhole(database, "election");
  }

  private static boolean clearDonor() {
    try {
      CLUSTER
          .onShard(0, "admin")
          .runCommand(Document.parse("{configureFailPoint: 'coordinatorPhase', mode: 'off'}"));
      return CLUSTER
          .onShard(0, "admin")
          .runCommand(new Document("hello", 1))
          .getBoolean("isWritablePrimary");
    } catch (MongoException e) {
      return false;
    }
  }

  private static void onDonor(String mode, String point, String action) {
    CLUSTER
        .onShard(0, "admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'coordinatorPhase', mode: %s,"
                        + " data: {point: '%s', action: '%s'}}")
                    .formatted(mode, point, action)));
  }

  private static void killCoordinator(String point) {
    String database = prepare();
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1}, data: {point: '%s', action: 'crash'}}"
            .formatted(point));
    tryMove(database);
    electAgain();
    awaitEnd(point);
    assertWhole(database, point);
    move(database, 1);
    assertThat(owner(database)).as(point).isEqualTo("shard1");
    assertWhole(database, point);
  }

  private static void failPhase(Phase phase, String when) {
    String point = "moveRange." + phase.name() + "." + when;
    String database = prepare();
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1}, data: {point: '%s', action: 'fail'}}"
            .formatted(point));
    tryMove(database);
    awaitEnd(point);
    assertWhole(database, point);
    move(database, 1);
    assertThat(owner(database)).as(point).isEqualTo("shard1");
    assertWhole(database, point);
    move(database, 0);
    assertWhole(database, point);
  }

  private static String prepare() {
    String database = "kill" + databases++;
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    CLUSTER
        .collection(database + ".c")
        .insertMany(
            IntStream.range(0, DOCUMENTS)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
                .toList());
    return database;
  }

  /** The only config server steps down, and is elected in the next term. */
  private static void electAgain() {
    long before = term();
    CLUSTER.electConfigAgain();
    CLUSTER.await("a primary of the next term", () -> term() > before);
  }

  /** Of the primary, when it has begun its work; 0 as long as there is none. */
  private static long term() {
    try {
      return CLUSTER.config("{_configsvrBalancerStatus: 1}").getLong("term");
    } catch (MongoException e) {
      return 0;
    }
  }

  /** Past the router, which would ask again. */
  private static void tryMove(String database) {
    try {
      CLUSTER.config(
          "{_configsvrMoveRange: '%s.c', min: {k: 10}, max: {k: 30}, toShard: 'shard1'}"
              .formatted(database));
    } catch (MongoException e) {
      // The outcome is looked at.
    }
  }

  private static void move(String database, int shard) {
    CLUSTER.admin(
        "{moveRange: '%s.c', min: {k: 10}, max: {k: 30}, toShard: 'shard%d'}"
            .formatted(database, shard));
  }

  private static String owner(String database) {
    BsonDocument collection =
        CLUSTER.metadata("collections").find(Filters.eq(database + ".c")).first();
    return CLUSTER
        .metadata("chunks")
        .find(Filters.and(Filters.eq("uuid", collection.get("uuid")), Filters.eq("min.k", 10)))
        .first()
        .getString("shard")
        .getValue();
  }

  private static void awaitEnd(String point) {
    CLUSTER.await(
        "the end of the migration after " + point,
        () ->
            CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0
                && CLUSTER.metadata("migrations").countDocuments() == 0);
    for (int i = 0; i < 2; i++) {
      for (String name :
          List.of("migrationCoordinators", "migrationRecipients", "shard.catalog.moves")) {
        assertThat(CLUSTER.onShard(i, "config").getCollection(name).find().into(new ArrayList<>()))
            .as("%s of shard%d after %s", name, i, point)
            .isEmpty();
      }
    }
  }

  /** Everything is there once, and can be written. */
  private static void assertWhole(String database, String point) {
    MongoCollection<Document> collection = CLUSTER.collection(database + ".c");
    assertThat(
            collection
                .find()
                .sort(Sorts.ascending("_id"))
                .map(each -> each.getInteger("_id"))
                .into(new ArrayList<>()))
        .as(point)
        .isEqualTo(IntStream.range(0, DOCUMENTS).boxed().toList());
    assertThat(collection.countDocuments()).as(point).isEqualTo(DOCUMENTS);
    assertThat(collection.updateMany(new Document(), Updates.inc("n", 1)).getModifiedCount())
        .as(point)
        .isEqualTo(DOCUMENTS);
    assertThat(collection.distinct("n", Integer.class).into(new ArrayList<>()))
        .as(point)
        .hasSize(1);
  }
}
