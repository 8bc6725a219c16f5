package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Config servers that become a shard, are emptied, and are dedicated again. */
class DedicatedConfigServerTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster(2);

  /** How many databases were made for kills. */
  private static int killed;

  private static BsonDocument leave() {
    return CLUSTER.admin("{transitionToDedicatedConfigServer: 1}");
  }

  private static String state() {
    return leave().getString("state").getValue();
  }

  private static void join() {
    CLUSTER.admin("{transitionFromDedicatedConfigServer: 1}");
  }

  private static void fill(String database) {
    CLUSTER.admin("{enableSharding: '%s', primaryShard: 'config'}".formatted(database));
    CLUSTER.collection(database + ".plain").insertMany(AdminCluster.documents(50));
    CLUSTER.admin(
        "{shardCollection: '%s.c', key: {k: 'hashed'}, numInitialChunks: 6}".formatted(database));
    CLUSTER.collection(database + ".c").insertMany(AdminCluster.documents(300));
  }

  private static void checkData(String database) {
    assertThat(CLUSTER.collection(database + ".plain").countDocuments()).isEqualTo(50);
    List<Integer> found =
        CLUSTER
            .collection(database + ".c")
            .find()
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(found).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 300).boxed().toList());
  }

  private static void drain() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the end of draining",
        () ->
            CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "config")) == 0
                && CLUSTER.metadata("databases").countDocuments(Filters.eq("primary", "config"))
                    == 0);
    CLUSTER.admin("{balancerStop: 1}");
  }

  @Test
  void theyAreEmptiedAndDedicatedAgain() {
    BsonDocument none = CLUSTER.fail("admin", "{transitionToDedicatedConfigServer: 1}");
    assertThat(none.getString("codeName").getValue()).isEqualTo("ShardNotFound");
    for (String database : List.of("first", "second")) {
      join();
      fill(database);
      BsonDocument started = leave();
      assertThat(started.getString("state").getValue()).isEqualTo("started");
      assertThat(started.getString("shard").getValue()).isEqualTo("config");
      assertThat(started.getArray("dbsToMove")).hasSize(1);
      BsonDocument ongoing = leave();
      assertThat(ongoing.getString("state").getValue()).isEqualTo("ongoing");
      BsonDocument remaining = ongoing.getDocument("remaining");
      assertThat(remaining.getInt64("chunks").getValue()).isEqualTo(2);
      assertThat(remaining.getInt64("dbs").getValue()).isOne();
      CLUSTER.electConfigAgain();
      drain();
      checkData(database);
      assertThat(state()).isEqualTo("completed");
      assertThat(CLUSTER.metadata("shards").countDocuments()).isEqualTo(2);
      checkData(database);
      assertThat(ofConfigServers()).containsExactlyInAnyOrder("admin", "config", "local");
      assertThat(CLUSTER.config("{shardingState: 1}").get("versions")).isEqualTo(new Document());
      CLUSTER.electConfigAgain();
      checkData(database);
    }
    assertThat(CLUSTER.fail("admin", "{removeShard: 'config'}").getString("codeName").getValue())
        .isEqualTo("ShardNotFound");
  }

  private static List<String> ofConfigServers() {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().config().uri())) {
      return client.listDatabaseNames().into(new ArrayList<>());
    }
  }

  /** A stream follows the documents to the config servers and back, and tells each change once. */
  @Test
  void aStreamFollowsTheConfigServersIn() {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> events =
            client.getDatabase("followed").watch().cursor()) {
      CLUSTER.create("followed", 0);
      CLUSTER.admin("{shardCollection: 'followed.c', key: {k: 1}}");
      MongoCollection<Document> collection = CLUSTER.collection("followed.c");
      collection.insertOne(new Document("_id", 0).append("k", 0));
      join();
      CLUSTER.admin("{moveChunk: 'followed.c', find: {k: 0}, to: 'config'}");
      collection.insertOne(new Document("_id", 1).append("k", 1));
      assertThat(state()).isEqualTo("started");
      CLUSTER.admin("{moveChunk: 'followed.c', find: {k: 0}, to: 'shard1'}");
      assertThat(state()).isEqualTo("completed");
      collection.insertOne(new Document("_id", 2).append("k", 2));
      for (int id = 0; id < 3; id++) {
        ChangeStreamDocument<Document> event = events.next();
        assertThat(event.getOperationTypeString()).isEqualTo("insert");
        assertThat(event.getFullDocument().getInteger("_id")).isEqualTo(id);
      }
    }
  }

  @Test
  void whatClientsHavePutThereIsBrought() {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().config().uri())) {
      MongoDatabase direct = client.getDatabase("brought");
      direct.getCollection("c").insertMany(AdminCluster.documents(20));
      join();
      assertThat(CLUSTER.primaryOf("brought")).isEqualTo("config");
      assertThat(CLUSTER.collection("brought.c").countDocuments()).isEqualTo(20);
      assertThat(state()).isEqualTo("started");
      drain();
      assertThat(state()).isEqualTo("completed");
      assertThat(CLUSTER.collection("brought.c").countDocuments()).isEqualTo(20);
      // The cluster has such a database now.
      direct.getCollection("c").insertMany(AdminCluster.documents(5));
      BsonDocument refused = CLUSTER.fail("admin", "{transitionFromDedicatedConfigServer: 1}");
      assertThat(refused.getString("errmsg").getValue()).contains("brought");
      direct.drop();
    }
  }

  @Test
  void theCommitsSurviveAKill() {
    killJoin("commit", "after");
    killLeave("remove", "after");
  }

  @Test
  @Tag("faults")
  void everyPhaseSurvivesAKill() {
    for (String when : List.of("before", "after")) {
      for (String phase : List.of("begin", "identify", "tellDatabases", "commit", "end")) {
        killJoin(phase, when);
        leaveAtOnce();
      }
      for (String phase : List.of("remove", "clear", "end")) {
        join();
        killLeave(phase, when);
      }
    }
  }

  private static void killJoin(String phase, String when) {
    String type = "transitionFromDedicatedConfigServer";
    kill("%s.%s.%s".formatted(type, phase, when), "_configsvrT" + type.substring(1));
    join();
    assertThat(CLUSTER.metadata("shards").countDocuments(Filters.eq("config"))).isOne();
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  /** With orphans of a collection that has gone. */
  private static void killLeave(String phase, String when) {
    String database = "killed" + killed++;
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    CLUSTER.collection(database + ".c").insertMany(AdminCluster.documents(10));
    for (String to : List.of("config", "shard0")) {
      CLUSTER.admin("{moveChunk: '%s.c', find: {k: 0}, to: '%s'}".formatted(database, to));
    }
    assertThat(ofConfigServers()).contains(database);
    assertThat(state()).isEqualTo("started");
    String type = "transitionToDedicatedConfigServer";
    kill("%s.%s.%s".formatted(type, phase, when), "_configsvrT" + type.substring(1));
    CLUSTER.await(
        "the end of the coordinator",
        () -> CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments() == 0);
    assertThat(CLUSTER.metadata("shards").countDocuments(Filters.eq("config"))).isZero();
    assertThat(ofConfigServers()).doesNotContain(database);
    assertThat(CLUSTER.collection(database + ".c").countDocuments()).isEqualTo(10);
  }

  private static void leaveAtOnce() {
    assertThat(state()).isEqualTo("started");
    assertThat(state()).isEqualTo("completed");
  }

  /** The coordinator ends there as if its process were killed; the next term goes on with it. */
  private static void kill(String point, String command) {
    CLUSTER.crashAt(point);
    assertThatThrownBy(() -> CLUSTER.config("{%s: 1}".formatted(command)))
        .hasMessageContaining("crash at " + point);
    CLUSTER.electConfigAgain();
  }
}
