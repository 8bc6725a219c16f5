package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
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

  /** No database leaves before all chunks and collections have. */
  private static void requirePrimariesLast() {
    if (CLUSTER.metadata("databases").countDocuments(Filters.eq("primary", "shard1")) < 2) {
      assertThat(CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "shard1"))).isZero();
    }
  }

  /** A collection that may not be moved keeps the shard from going, and the replies say so. */
  private static void requireToldWhatIsNotBalanced() {
    String enable = "{configureCollectionBalancing: 'sharded.c', enableBalancing: %s}";
    CLUSTER.admin(enable.formatted(false));
    assertThat(remove().getString("note").getValue()).contains("sharded.c");
    assertThat(remove().getArray("collectionsNotBalanced"))
        .containsExactly(new BsonString("sharded.c"));
    assertThat(CLUSTER.admin("{balancerStatus: 1}")).doesNotContainKey("stalls");
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await("a stall", () -> CLUSTER.admin("{balancerStatus: 1}").containsKey("stalls"));
    BsonDocument stall =
        CLUSTER.admin("{balancerStatus: 1}").getArray("stalls").getFirst().asDocument();
    assertThat(stall.getString("ns").getValue()).isEqualTo("sharded.c");
    assertThat(stall.getString("reason").getValue()).isEqualTo("draining");
    CLUSTER.admin("{balancerStop: 1}");
    CLUSTER.admin(enable.formatted(true));
    assertThat(remove()).doesNotContainKey("collectionsNotBalanced");
  }

  @Test
  void aShardIsEmptiedToTheEndAndGoes() {
    CLUSTER.config("{setParameter: 1, balancerMigrationsThrottlingMs: 0}");
    CLUSTER.create("plain", 1);
    CLUSTER.collection("plain.c").insertMany(AdminCluster.documents(50));
    CLUSTER.create("sharded", 1);
    CLUSTER.admin("{shardCollection: 'sharded.c', key: {k: 'hashed'}, numInitialChunks: 6}");
    CLUSTER.collection("sharded.c").insertMany(AdminCluster.documents(300));
    // Unsharded collections that are not on the primary shard of their database.
    CLUSTER.create("moved", 0);
    CLUSTER.collection("moved.c").insertMany(AdminCluster.documents(40));
    CLUSTER.collection("moved.d").insertMany(AdminCluster.documents(30));
    CLUSTER.admin("{moveCollection: 'moved.c', toShard: 'shard1'}");
    CLUSTER.admin("{moveCollection: 'moved.d', toShard: 'shard1'}");

    BsonDocument started = remove();
    assertThat(started.getString("state").getValue()).isEqualTo("started");
    assertThat(started.getArray("dbsToMove")).hasSize(2);
    assertThat(started.getArray("collectionsToMove"))
        .containsExactly(new BsonString("moved.c"), new BsonString("moved.d"));
    BsonDocument ongoing = remove();
    assertThat(ongoing.getString("state").getValue()).isEqualTo("ongoing");
    assertThat(ongoing.getDocument("remaining").getInt64("chunks").getValue()).isEqualTo(3);
    assertThat(ongoing.getArray("collectionsToMove")).isNotEmpty();
    assertThat(
            CLUSTER
                .admin("{balancerCollectionStatus: 'sharded.c'}")
                .getString("firstComplianceViolation")
                .getValue())
        .isEqualTo("draining");

    requireToldWhatIsNotBalanced();
    CLUSTER.admin("{balancerStart: 1}");
    CLUSTER.await(
        "the end of draining",
        () -> {
          assertThat(CLUSTER.collection("sharded.c").countDocuments()).isEqualTo(300);
          assertThat(CLUSTER.collection("plain.c").countDocuments()).isEqualTo(50);
          assertThat(CLUSTER.collection("moved.c").countDocuments()).isEqualTo(40);
          requirePrimariesLast();
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
    for (String name : List.of("moved.c", "moved.d")) {
      CLUSTER.collection(name).insertOne(new Document("_id", 1_000));
      // It is on the primary shard again.
      assertThat(CLUSTER.metadata("collections").find(Filters.eq(name)).first()).isNull();
    }
    assertThat(CLUSTER.collection("moved.d").countDocuments()).isEqualTo(31);
  }
}
