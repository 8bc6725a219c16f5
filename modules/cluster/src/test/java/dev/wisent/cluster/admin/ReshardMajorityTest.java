package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The config servers lose their majority when a resharding is about to be decided. */
@Tag("faults")
class ReshardMajorityTest {
  private static final int MAX_TIME_EXPIRED = 50;
  private static final String CONFIG = "cfg";

  @TempDir Path directory;

  private static ServerOptions.Builder ofConfig(ServerOptions.Builder options) {
    return options
        .clusterRole(ClusterRole.CONFIG_SERVER)
        .cacheBytes(32 << 20)
        .setParameter("enableTestCommands", "1");
  }

  private EmbeddedSet shard(String name) {
    return EmbeddedSet.start(
        name,
        1,
        directory,
        options -> options.clusterRole(ClusterRole.SHARD_SERVER).cacheBytes(32 << 20));
  }

  @Test
  void writersWaitForAsLongAsTheyWantAndItEndsByItself() {
    EmbeddedSet config = EmbeddedSet.start(CONFIG, 3, directory, ReshardMajorityTest::ofConfig);
    List<EmbeddedNode> running = new ArrayList<>(config.members());
    ServerOptions router =
        ServerOptions.builder(directory.resolve("router"))
            .port(0)
            .configDb(config.connectionString())
            .build();
    try (EmbeddedSet first = shard("shard0");
        EmbeddedSet second = shard("shard1");
        EmbeddedNode node = EmbeddedNode.start(router);
        MongoClient client = MongoClients.create("mongodb://" + node.address() + "/")) {
      MongoDatabase admin = client.getDatabase("admin");
      admin.runCommand(new Document("addShard", first.connectionString()));
      admin.runCommand(new Document("addShard", second.connectionString()));
      admin.runCommand(Document.parse("{shardCollection: 'data.c', key: {k: 'hashed'}}"));
      MongoCollection<Document> collection = client.getDatabase("data").getCollection("c");
      collection.insertMany(AdminCluster.documents(100));

      CompletableFuture<Document> resharded = reshardUntilDecided(config, admin);
      for (int i = 2; i > 0; i--) {
        running.remove(i).close();
      }
      assertThatThrownBy(
              () ->
                  client
                      .getDatabase("data")
                      .runCommand(
                          Document.parse(
                              "{insert: 'c', documents: [{_id: 500, k: 1}], maxTimeMS: 500}")))
          .asInstanceOf(type(MongoException.class))
          .returns(MAX_TIME_EXPIRED, MongoException::getCode);
      assertThat(collection.find(Filters.eq("k", 7)).first()).isNotNull();

      for (int i = 1; i < 3; i++) {
        running.add(restarted(config, i));
      }
      resharded.join();
      collection.insertOne(new Document("_id", 500).append("k", 1));
      assertThat(collection.countDocuments()).isEqualTo(101);
      assertThat(
              client
                  .getDatabase("config")
                  .getCollection("collections")
                  .find(Filters.eq("data.c"))
                  .first())
          .containsEntry("key", new Document("_id", 1));
    } finally {
      running.reversed().forEach(EmbeddedNode::close);
    }
  }

  /** Returns when writers wait, and the config primary is about to decide. */
  private static CompletableFuture<Document> reshardUntilDecided(
      EmbeddedSet config, MongoDatabase admin) {
    try (MongoClient servers = MongoClients.create(config.uri())) {
      servers
          .getDatabase("admin")
          .runCommand(
              Document.parse(
                  "{configureFailPoint: 'coordinatorPhase', mode: {times: 1},"
                      + " data: {point: 'reshardCollection.commit.before', action: 'hang'}}"));
      CompletableFuture<Document> resharded =
          CompletableFuture.supplyAsync(
              () ->
                  admin.runCommand(Document.parse("{reshardCollection: 'data.c', key: {_id: 1}}")),
              command -> Thread.ofPlatform().start(command));
      await(
          () ->
              resharded.isDone()
                  || servers
                          .getDatabase("config")
                          .getCollection("system.sharding_ddl_coordinators")
                          .countDocuments(Filters.eq("phase", "commit"))
                      == 1);
      assertThat(resharded).isNotDone();
      return resharded;
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("a deadline").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private EmbeddedNode restarted(EmbeddedSet config, int member) {
    ServerOptions.Builder options =
        ServerOptions.builder(directory.resolve(CONFIG + "-" + member))
            .port(config.members().get(member).port())
            .replicaSet(CONFIG);
    return EmbeddedNode.start(ofConfig(options).build());
  }
}
