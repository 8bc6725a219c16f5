package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elections in the middle of what changes metadata: clients get its outcome, and no error. */
class InterruptedDdlTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String OUTCOMES = "system.sharding_ddl_outcomes";

  /** A command, and the database that it is sent to. */
  private record Ddl(String database, String command) {
    BsonDocument run() {
      return CLUSTER.run(database, command);
    }
  }

  /** The answer is lost after everything is done: the next primary knows it. */
  @Test
  void whatIsDoneIsAnsweredByTheNextPrimary() {
    for (String collection : List.of("drop", "before", "create", "index", "change", "refine")) {
      CLUSTER.admin("{shardCollection: 'ddl.%s', key: {a: 1}}".formatted(collection));
    }
    CLUSTER.collection("ddl.index").createIndex(Indexes.ascending("x"));
    CLUSTER.collection("ddl.refine").createIndex(Indexes.ascending("a", "b"));
    CLUSTER.admin("{shardCollection: 'dropped.c', key: {a: 1}}");
    CLUSTER.create("moved", 0);
    List<Ddl> all =
        List.of(
            new Ddl("admin", "{shardCollection: 'ddl.shard', key: {a: 'hashed'}}"),
            new Ddl("ddl", "{drop: 'drop'}"),
            new Ddl("admin", "{renameCollection: 'ddl.before', to: 'ddl.after'}"),
            new Ddl("ddl", "{createIndexes: 'create', indexes: [{key: {x: 1}, name: 'x_1'}]}"),
            new Ddl("ddl", "{dropIndexes: 'index', index: 'x_1'}"),
            new Ddl("ddl", "{collMod: 'change', validationLevel: 'moderate'}"),
            new Ddl("admin", "{refineCollectionShardKey: 'ddl.refine', key: {a: 1, b: 1}}"),
            new Ddl("dropped", "{dropDatabase: 1}"),
            new Ddl("admin", "{movePrimary: 'moved', to: 'shard1'}"));
    long before = CLUSTER.metadata(OUTCOMES).countDocuments();
    Runnable release = CLUSTER.holdAll("*.end.after");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var replies = new ArrayList<CompletableFuture<BsonDocument>>();
      all.forEach(each -> replies.add(CompletableFuture.supplyAsync(each::run, threads)));
      CLUSTER.await(
          "the end of all",
          () -> CLUSTER.metadata(OUTCOMES).countDocuments() - before == all.size());
      assertThat(replies).noneMatch(CompletableFuture::isDone);
      CLUSTER.electConfigAgain();
      replies.forEach(CompletableFuture::join);
    } finally {
      release.run();
    }
    assertThat(CLUSTER.metadata("collections").find(Filters.regex("_id", "^(ddl|dropped)")))
        .extracting(collection -> collection.getString("_id").getValue())
        .containsExactlyInAnyOrder(
            "ddl.after", "ddl.create", "ddl.index", "ddl.change", "ddl.refine", "ddl.shard");
    assertThat(CLUSTER.primaryOf("moved")).isEqualTo("shard1");
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  /** An insert creates its database. */
  @Test
  void whatIsUnderWayIsJoined() {
    Runnable release = CLUSTER.holdAll("createDatabase.commit.before");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var inserted =
          CompletableFuture.runAsync(
              () -> CLUSTER.collection("implicit.c").insertOne(new Document("_id", 1)), threads);
      CLUSTER.awaitPhase("createDatabase", "commit");
      CLUSTER.electConfigAgain();
      CLUSTER.awaitPhase("createDatabase", "commit");
      release.run();
      inserted.join();
    }
    assertThat(CLUSTER.collection("implicit.c").countDocuments()).isEqualTo(1);
  }

  /** Collections that are not sharded are their primary shard's to change. */
  @Test
  void definitionsAreSentToTheNextPrimaryOfAShard() {
    CLUSTER.create("plain", 0);
    interrupted("{create: 'c', capped: true, size: 4096}");
    interrupted("{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    interrupted("{collMod: 'c', validationLevel: 'moderate'}");
    CLUSTER.onShard(0, "plain").getCollection("c").dropIndex("x_1");
    interrupted("{dropIndexes: 'c', index: 'x_1'}");
    interrupted("{drop: 'c'}");
    CLUSTER.collection("plain.before").insertOne(new Document("_id", 1));
    fail("renameCollection");
    CLUSTER.admin("{renameCollection: 'plain.before', to: 'plain.after'}");
    assertThat(CLUSTER.database("plain").listCollectionNames()).containsExactly("after");
  }

  /** The shard's primary closes the connection before the command runs. */
  private static void interrupted(String command) {
    fail(BsonDocument.parse(command).getFirstKey());
    CLUSTER.run("plain", command);
  }

  private static void fail(String command) {
    CLUSTER
        .onShard(0, "admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'failCommand', mode: {times: 1},"
                        + " data: {failCommands: ['%s'], closeConnection: true,"
                        + " failInternalCommands: true}}")
                    .formatted(command)));
  }
}
