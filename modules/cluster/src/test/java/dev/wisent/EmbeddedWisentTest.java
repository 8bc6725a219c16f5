package dev.wisent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoTimeoutException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Servers in the JVM of their client. */
@Isolated("it expects nothing to listen where its server did")
class EmbeddedWisentTest {
  @Test
  void anEmbeddedServerLeavesNothingBehind() {
    Wisent wisent = Wisent.start();
    try (MongoClient client = MongoClients.create(wisent.uri())) {
      assertThat(ping(client)).containsEntry("ok", 1.0);
    }
    wisent.close();
    try (MongoClient client = impatient(wisent.uri())) {
      assertThatThrownBy(() -> ping(client)).isInstanceOf(MongoTimeoutException.class);
    }
  }

  @Test
  void aReplicaSetAcknowledgesByItsMajority() {
    try (Wisent wisent = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(wisent.uri())) {
      var notes = client.getDatabase("test").getCollection("notes");
      notes.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 1));
      assertThat(notes.countDocuments()).isEqualTo(1);
      Document status = client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1));
      assertThat(status.getList("members", Document.class)).hasSize(3);
    }
  }

  private static MongoClient impatient(String uri) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .applyToClusterSettings(
                settings -> settings.serverSelectionTimeout(200, TimeUnit.MILLISECONDS))
            .build());
  }

  private static Document ping(MongoClient client) {
    return client.getDatabase("admin").runCommand(new Document("ping", 1));
  }
}
