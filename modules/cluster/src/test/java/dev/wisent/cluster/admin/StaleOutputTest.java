package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A router writes what pipelines give by a view of the cluster that another one has changed. */
class StaleOutputTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  @Test
  void whatIsWrittenGoesWhereItBelongs() {
    CLUSTER.create("from", 0);
    CLUSTER.shardByK("from.c");
    CLUSTER.collection("from.c").insertMany(AdminCluster.documents(100));
    CLUSTER.create("to", 0);
    CLUSTER.create("moved", 0);
    try (EmbeddedNode other =
            CLUSTER.cluster().newRouter(CLUSTER.directory().resolve("other"), options -> {});
        MongoClient client = MongoClients.create("mongodb://" + other.address() + "/")) {
      MongoDatabase from = client.getDatabase("from");
      // The router knows them as they are now.
      client.getDatabase("to").getCollection("merged").countDocuments();
      client.getDatabase("moved").getCollection("replaced").countDocuments();
      CLUSTER.shardByK("to.merged");
      CLUSTER.admin("{movePrimary: 'moved', to: 'shard1'}");
      write(from, "{$merge: {into: {db: 'to', coll: 'merged'}, whenMatched: 'fail'}}");
      write(from, "{$out: {db: 'moved', coll: 'replaced'}}");
    }
    assertThat(CLUSTER.collection("to.merged").countDocuments()).isEqualTo(100);
    for (int i = 0; i < 2; i++) {
      assertThat(CLUSTER.onShard(i, "to").getCollection("merged").countDocuments()).isEqualTo(50);
    }
    assertThat(CLUSTER.collection("moved.replaced").countDocuments()).isEqualTo(100);
    assertThat(CLUSTER.onShard(0, "moved").listCollectionNames()).isEmpty();
  }

  private static void write(MongoDatabase from, String stage) {
    from.getCollection("c").aggregate(List.of(Document.parse(stage))).toCollection();
  }
}
