package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A shard that is removed: its chunks and databases leave it by themselves. */
class DrainedShardTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static BsonDocument remove() {
    return CLUSTER.admin("{removeShard: 'shard1'}");
  }

  private static String state() {
    return remove().getString("state").getValue();
  }

  @Test
  void aShardIsEmptiedToTheEndAndGoes() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    CLUSTER.create("plain", 1);
    CLUSTER.collection("plain.c").insertMany(AdminCluster.documents(50));
    CLUSTER.create("sharded", 1);
    CLUSTER.admin("{shardCollection: 'sharded.c', key: {k: 'hashed'}, numInitialChunks: 6}");
    CLUSTER.collection("sharded.c").insertMany(AdminCluster.documents(300));

    BsonDocument started = remove();
    assertThat(started.getString("state").getValue()).isEqualTo("started");
    assertThat(started.getArray("dbsToMove")).hasSize(2);
    BsonDocument ongoing = remove();
    assertThat(ongoing.getString("state").getValue()).isEqualTo("ongoing");
    assertThat(ongoing.getDocument("remaining").getInt64("chunks").getValue()).isEqualTo(3);
    assertThat(
            CLUSTER
                .admin("{balancerCollectionStatus: 'sharded.c'}")
                .getString("firstComplianceViolation")
                .getValue())
        .isEqualTo("draining");

    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the end of draining",
        () -> {
          assertThat(CLUSTER.collection("sharded.c").countDocuments()).isEqualTo(300);
          assertThat(CLUSTER.collection("plain.c").countDocuments()).isEqualTo(50);
          return CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "shard1")) == 0
              && CLUSTER.metadata("databases").countDocuments(Filters.eq("primary", "shard1")) == 0;
        });
    CLUSTER.admin("{balancerStop: 1}");
    assertThat(state()).isEqualTo("completed");
    assertThat(CLUSTER.metadata("shards").countDocuments()).isOne();
    assertThat(CLUSTER.primaryOf("plain")).isEqualTo("shard0");
    List<Integer> found =
        CLUSTER
            .collection("sharded.c")
            .find()
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(found).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 300).boxed().toList());
    CLUSTER.collection("plain.c").insertOne(new Document("_id", 1_000));
  }
}
