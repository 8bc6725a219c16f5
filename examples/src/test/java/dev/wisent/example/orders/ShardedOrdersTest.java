package dev.wisent.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.wisent.junit.FromWisent;
import dev.wisent.junit.Topology;
import dev.wisent.junit.WisentTest;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WisentTest(topology = Topology.CLUSTER, shards = 2)
class ShardedOrdersTest {
  @FromWisent private MongoClient client;

  @BeforeEach
  void shard() {
    client
        .getDatabase("admin")
        .runCommand(Document.parse("{shardCollection: 'shop.orders', key: {_id: 'hashed'}}"));
  }

  @Test
  void bothShardsHaveOrders() {
    var orders = client.getDatabase("shop").getCollection("orders");
    orders.insertMany(IntStream.range(0, 100).mapToObj(id -> new Document("_id", id)).toList());
    Document stats = client.getDatabase("shop").runCommand(new Document("collStats", "orders"));
    assertThat(stats.get("shards", Document.class)).containsOnlyKeys("shard0", "shard1");
  }
}
