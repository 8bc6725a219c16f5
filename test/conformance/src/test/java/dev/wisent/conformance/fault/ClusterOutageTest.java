package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The short form of {@link ClusterFaultTest}, in one JVM: under load a router ends, and then all
 * config servers. No client sees an error, and every write is there once.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClusterOutageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int CLIENTS = 2;
  private static final int PROGRESS = 18;

  @Test
  void dataIsServedWithoutARouterAndWithoutConfigServers(@TempDir Path directory) {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(2, directory, options -> {});
        EmbeddedNode second = cluster.newRouter(directory.resolve("second"), options -> {});
        ClusterLoad load = new ClusterLoad()) {
      String both = "mongodb://%s,%s/".formatted(cluster.router().address(), second.address());
      try (MongoClient client = MongoClients.create(ClusterLoad.settings(both))) {
        shard(client, ClusterClient.ITEMS);
        shard(client, ClusterClient.COUNTERS);
        load.start(both, CLIENTS);
        progress(load);
        second.close();
        progress(load);
        cluster.config().close();
        progress(load);
        assertThatThrownBy(
                () ->
                    client
                        .getDatabase("admin")
                        .runCommand(
                            new Document("enableSharding", "other").append("maxTimeMS", 200)))
            .isInstanceOf(MongoException.class);
        load.stop();
        assertThat(load.errors()).isEmpty();
        MongoCollection<Document> items =
            client.getDatabase(ClusterClient.DATABASE).getCollection(ClusterClient.ITEMS);
        var ids = items.find().map(item -> item.getString("_id")).into(new ArrayList<>());
        assertThat(load.items().check("the cluster", ids)).isEmpty();
        assertThat(items.countDocuments()).isEqualTo(ids.size());
      }
    }
  }

  private static void shard(MongoClient client, String collection) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("shardCollection", ClusterClient.DATABASE + "." + collection)
                .append("key", new Document("_id", "hashed")));
  }

  private static void progress(ClusterLoad load) {
    long before = load.steps();
    Eventually.holds(
        "operations of clients",
        PATIENCE,
        () -> load.steps() > before + PROGRESS || load.endedEarly());
    assertThat(load.endedEarly()).isFalse();
  }
}
