package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two of three config servers go away and come back. */
class ConfigMajorityTest {
  @TempDir Path directory;

  private static final String CONFIG = "cfg";

  private ServerOptions.Builder ofConfig(ServerOptions.Builder options) {
    return options.clusterRole(ClusterRole.CONFIG_SERVER).cacheBytes(32 << 20);
  }

  private EmbeddedNode router(String name, EmbeddedSet config) {
    return EmbeddedNode.start(
        ServerOptions.builder(directory.resolve(name))
            .port(0)
            .configDb(config.connectionString())
            .build());
  }

  private static MongoClient connect(EmbeddedNode router) {
    return MongoClients.create("mongodb://" + router.address() + "/");
  }

  @Test
  void dataGoesOnAndMetadataWaits() {
    EmbeddedSet config = EmbeddedSet.start(CONFIG, 3, directory, this::ofConfig);
    List<EmbeddedNode> running = new ArrayList<>(config.members());
    try (EmbeddedSet shard =
            EmbeddedSet.start(
                "shard",
                1,
                directory,
                options -> options.clusterRole(ClusterRole.SHARD_SERVER).cacheBytes(32 << 20));
        EmbeddedNode router = router("router", config);
        MongoClient client = connect(router)) {
      MongoDatabase admin = client.getDatabase("admin");
      admin.runCommand(new Document("addShard", shard.connectionString()));
      admin.runCommand(Document.parse("{shardCollection: 'data.sharded', key: {_id: 'hashed'}}"));
      use(client, 0);

      for (int i = 2; i > 0; i--) {
        running.remove(i).close();
      }
      use(client, 1);
      assertThatThrownBy(() -> createDatabase(client)).isInstanceOf(MongoException.class);
      use(client, 2);
      try (EmbeddedNode late = router("late", config);
          MongoClient other = connect(late)) {
        use(other, 3);
        assertThat(concerns(other)).containsEntry("failures", 0L);
        assertThatThrownBy(() -> createDatabase(other)).isInstanceOf(MongoException.class);

        for (int i = 1; i < 3; i++) {
          running.add(restarted(config, i));
        }
        awaitDatabase(other);
        use(other, 4);
      }
      awaitDatabase(client);
      use(client, 5);
    } finally {
      running.reversed().forEach(EmbeddedNode::close);
    }
  }

  private EmbeddedNode restarted(EmbeddedSet config, int member) {
    ServerOptions.Builder options =
        ServerOptions.builder(directory.resolve(CONFIG + "-" + member))
            .port(config.members().get(member).port())
            .replicaSet(CONFIG);
    return EmbeddedNode.start(ofConfig(options).build());
  }

  /** Writes and reads both kinds of collections. */
  private static void use(MongoClient client, int round) {
    for (String name : new String[] {"plain", "sharded"}) {
      var collection = client.getDatabase("data").getCollection(name);
      collection.insertOne(new Document("_id", round));
      collection.updateOne(Filters.eq(round), Updates.set("x", 1));
      assertThat(collection.countDocuments()).isEqualTo(round + 1L);
      assertThat(collection.find(Filters.eq(round)).first()).containsEntry("x", 1);
    }
  }

  /** What a router tells of its loop that reads the default concerns. */
  private static Document concerns(MongoClient router) {
    return router
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("backgroundLoops", Document.class)
        .get("cluster-concerns", Document.class);
  }

  private static void createDatabase(MongoClient client) {
    client
        .getDatabase("admin")
        .runCommand(Document.parse("{enableSharding: 'new', maxTimeMS: 1500}"));
  }

  private static void awaitDatabase(MongoClient client) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      try {
        createDatabase(client);
        return;
      } catch (MongoException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }
}
