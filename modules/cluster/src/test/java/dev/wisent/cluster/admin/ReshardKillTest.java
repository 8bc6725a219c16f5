package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.config.ddl.DdlCoordinators;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The coordinator of a resharding operation is killed before and after every phase, and donors and
 * recipients are elected anew meanwhile. No document is lost or doubled, and the operation ends.
 */
class ReshardKillTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int DOCUMENTS = 200;
  private static int databases;

  private final Map<Integer, Document> expected = new HashMap<>();
  private MongoCollection<Document> collection;

  private static List<Phase> phases() {
    return DdlCoordinators.all(new ClusterMetadata(null, null, null, null, null, null, null, null))
        .stream()
        .filter(coordinator -> coordinator.type().equals("reshardCollection"))
        .map(Coordinator::phases)
        .findFirst()
        .orElseThrow();
  }

  private String prepare() {
    String database = "kill" + databases++;
    CLUSTER.create(database, 0);
    CLUSTER.shardByK(database + ".c");
    collection = CLUSTER.collection(database + ".c");
    List<Document> documents =
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i).append("k", i - 100).append("x", i % 13))
            .toList();
    collection.insertMany(documents);
    expected.clear();
    documents.forEach(each -> expected.put(each.getInteger("_id"), each));
    return database;
  }

  /** Inserts, deletes, and changes of both keys. */
  private void change(int from) {
    for (int i = from; i < DOCUMENTS; i += 20) {
      collection.deleteOne(Filters.eq(i));
      expected.remove(i);
      set(i + 1, "k", -expected.get(i + 1).getInteger("k") - 1);
      set(i + 2, "x", 100 + i);
      set(i + 3, "n", 1);
      Document more = new Document("_id", 1000 + i).append("k", i - 100).append("x", i);
      collection.insertOne(more);
      expected.put(1000 + i, more);
    }
  }

  private void set(int id, String field, int value) {
    Document before = expected.get(id);
    assertThat(
            collection
                .updateOne(
                    Filters.and(Filters.eq(id), Filters.eq("k", before.get("k"))),
                    Updates.set(field, value))
                .getModifiedCount())
        .isOne();
    expected.put(id, new Document(before).append(field, value));
  }

  private void assertWhole(String what) {
    var found = new HashMap<Integer, Document>();
    for (Document each : collection.find()) {
      assertThat(found.put(each.getInteger("_id"), each)).as("%s: %s", what, each).isNull();
    }
    assertThat(found).as(what).isEqualTo(expected);
    assertThat(collection.countDocuments()).as(what).isEqualTo(expected.size());
    assertThat(collection.estimatedDocumentCount()).as(what).isEqualTo(expected.size());
  }

  private static String key(String database) {
    return CLUSTER
        .metadata("collections")
        .find(Filters.eq(database + ".c"))
        .first()
        .getDocument("key")
        .toJson();
  }

  private static void awaitEnd(String what) {
    CLUSTER.await(
        "the end after " + what,
        () -> {
          try {
            return CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0;
          } catch (MongoException e) {
            return false;
          }
        });
    for (int i = 0; i < 2; i++) {
      for (String name :
          List.of(
              "localReshardingOperations.donor",
              "localReshardingOperations.recipient",
              "shard.catalog.blocks")) {
        assertThat(CLUSTER.onShard(i, "config").getCollection(name).find().into(new ArrayList<>()))
            .as("%s of shard%d after %s", name, i, what)
            .isEmpty();
      }
    }
  }

  @Test
  void theDecisionSurvivesTheDeathOfItsCoordinator() {
    killCoordinator("reshardCollection.blockWrites.after");
    killCoordinator("reshardCollection.commit.after");
  }

  @Test
  @Tag("faults")
  void everyPhaseSurvives() {
    for (Phase phase : phases()) {
      killCoordinator("reshardCollection." + phase.name() + ".before");
      killCoordinator("reshardCollection." + phase.name() + ".after");
    }
  }

  private void killCoordinator(String point) {
    String database = prepare();
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1}, data: {point: '%s', action: 'crash'}}"
            .formatted(point));
    tryReshard(database);
    CLUSTER.electConfigAgain();
    awaitEnd(point);
    assertThat(key(database)).as(point).isEqualTo("{\"x\": 1}");
    assertWhole(point);
    change(0);
    assertWhole(point);
  }

  /** Past the router, which would ask again. */
  private static void tryReshard(String database) {
    try {
      CLUSTER.config("{_configsvrReshardCollection: '%s.c', key: {x: 1}}".formatted(database));
    } catch (MongoException e) {
      // The outcome is looked at.
    }
  }

  /** The next primary of a donor copies anew what has changed since, and what has gone. */
  @Test
  @Tag("faults")
  void membersAreElectedAnewDuringTheCopy() {
    for (int shard = 0; shard < 2; shard++) {
      for (String phase : List.of("createTemporary", "clone")) {
        String what = "election of shard" + shard + " after " + phase;
        String database = prepare();
        Runnable release = CLUSTER.hold("reshardCollection." + phase + ".after");
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> tryReshard(database));
        CLUSTER.awaitPhase("reshardCollection", phase);
        change(0);
        CLUSTER.electShardAgain(shard);
        change(4);
        release.run();
        done.join();
        awaitEnd(what);
        assertThat(key(database)).as(what).isEqualTo("{\"x\": 1}");
        assertWhole(what);
        change(8);
        assertWhole(what);
      }
    }
  }
}
