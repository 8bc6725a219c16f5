package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Config servers become a shard and dedicated again while clients write and read. */
class ConfigShardLoadTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster(2);

  private static final int SEED = Integer.getInteger("wisent.seed", 42);
  private static final String NAMESPACE = "load.c";

  @Test
  @Tag("faults")
  void clientsNoticeNothing() {
    run(Integer.getInteger("wisent.transitions", 20));
  }

  private static void run(int transitions) {
    CLUSTER.create("load", 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(NAMESPACE));
    EmbeddedNode other =
        CLUSTER
            .cluster()
            .newRouter(CLUSTER.directory().resolve("router" + transitions), options -> {});
    try (other;
        MongoClient client = MongoClients.create("mongodb://" + other.address() + "/");
        var load = new MigrationLoad(client, client, NAMESPACE, ReadPreference.primary())) {
      load.insertFixed();
      load.start(SEED);
      var random = new Random(SEED + 2);
      for (int i = 0; i < transitions; i++) {
        CLUSTER.admin("{transitionFromDedicatedConfigServer: 1}");
        for (int low = 0; low < MigrationLoad.FIXED; low += 100) {
          move(low, random.nextInt(3) == 0 ? "shard1" : "config");
        }
        assertThat(leave()).isEqualTo("started");
        for (int low = 0; low < MigrationLoad.FIXED; low += 100) {
          move(low, "shard" + random.nextInt(2));
        }
        assertThat(leave()).isEqualTo("completed");
      }
      CLUSTER.await("rounds of the load", () -> load.hasDone(5));
      load.finish();
    }
    assertThat(
            CLUSTER
                .run("load", "{checkMetadataConsistency: 1}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
    CLUSTER.database("load").drop();
  }

  private static void move(int low, String to) {
    CLUSTER.admin(
        "{moveRange: '%s', min: {k: %d}, max: {k: %d}, toShard: '%s'}"
            .formatted(NAMESPACE, low, low + 100, to));
  }

  private static String leave() {
    return CLUSTER.admin("{transitionToDedicatedConfigServer: 1}").getString("state").getValue();
  }
}
