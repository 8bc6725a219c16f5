package dev.wisent.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.junit.Topology;
import dev.wisent.junit.WisentTest;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WisentTest(topology = Topology.SET)
class OrdersTest {
  @Test
  void aChangeStreamSeesWhatATransactionCommits(MongoClient client) {
    MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
    try (var changes = orders.watch().cursor();
        ClientSession session = client.startSession()) {
      session.withTransaction(() -> orders.insertOne(session, new Document("customer", 17)));
      assertThat(changes.next().getFullDocument()).containsEntry("customer", 17);
    }
  }

  @Test
  void eachTestBeginsWithEmptyServers(MongoClient client) {
    assertThat(client.getDatabase("shop").getCollection("orders").countDocuments()).isZero();
  }
}
