package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A config server that is a shard by its own data: it is one after a restart. */
class ConfigShardRestartTest {
  @TempDir Path directory;

  private EmbeddedSet set(String name, ClusterRole role, int port) {
    return EmbeddedSet.start(
        name, 1, directory, options -> options.clusterRole(role).port(port).cacheBytes(16 << 20));
  }

  @Test
  void theOnlyShardIsTheConfigServer() {
    EmbeddedSet config = set("cfg", ClusterRole.CONFIG_SERVER, 0);
    ServerOptions.Builder options =
        ServerOptions.builder(directory.resolve("router"))
            .port(0)
            .configDb(config.connectionString());
    try (EmbeddedNode node = EmbeddedNode.start(options.build());
        MongoClient router = MongoClients.create("mongodb://" + node.address() + "/")) {
      Document join = new Document("transitionFromDedicatedConfigServer", 1);
      router.getDatabase("admin").runCommand(join);
      router
          .getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'db.c', key: {k: 1}}"));
      MongoCollection<Document> collection = router.getDatabase("db").getCollection("c");
      collection.insertMany(AdminCluster.documents(100));
      router.getDatabase("db").getCollection("plain").insertOne(new Document("_id", 1));

      int port = config.members().getFirst().port();
      config.close();
      config = set("cfg", ClusterRole.CONFIG_SERVER, port);

      assertThat(collection.countDocuments()).isEqualTo(100);
      collection.updateOne(Filters.eq("k", 1), Updates.set("x", 1));
      assertThat(router.getDatabase("db").getCollection("plain").countDocuments()).isOne();
      router.getDatabase("admin").runCommand(join);
      assertThat(
              router
                  .getDatabase("admin")
                  .runCommand(Document.parse("{listShards: 1}"))
                  .getList("shards", Document.class))
          .hasSize(1);
      // What would be left has no other place.
      assertThatThrownBy(
              () ->
                  router
                      .getDatabase("admin")
                      .runCommand(new Document("transitionToDedicatedConfigServer", 1)))
          .hasMessageContaining("last shard");
    } finally {
      config.close();
    }
  }
}
