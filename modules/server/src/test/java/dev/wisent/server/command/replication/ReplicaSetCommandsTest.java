package dev.wisent.server.command.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The commands of a set of one, through the driver; the data outlives its standalone times. */
@Execution(ExecutionMode.CONCURRENT)
class ReplicaSetCommandsTest {
  @TempDir Path directory;

  private WisentServer start(String replicaSet) throws ListenException {
    return WisentServer.start(
        ServerOptions.builder(directory).port(0).replicaSet(replicaSet).build(),
        ServerLog.silent());
  }

  private static MongoClient connect(WisentServer server) {
    return MongoClients.create("mongodb://127.0.0.1:" + server.port() + "/?directConnection=true");
  }

  private static Document admin(MongoClient client, Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  private static Document admin(MongoClient client, String command) {
    return admin(client, new Document(command, 1));
  }

  private static void assertFails(int code, MongoClient client, Document command) {
    assertThatThrownBy(() -> admin(client, command))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }

  @Test
  void aStandaloneKnowsNoReplicaSet() throws ListenException {
    try (WisentServer server = start(null);
        MongoClient client = connect(server)) {
      for (String name : new String[] {"replSetGetStatus", "replSetGetConfig", "replSetFreeze"}) {
        assertFails(76, client, new Document(name, 1));
      }
      assertFails(76, client, new Document("replSetInitiate", new Document()));
      assertThat(admin(client, "hello"))
          .containsEntry("isWritablePrimary", true)
          .doesNotContainKey("setName");
    }
  }

  @Test
  void aStandaloneBecomesASetAndStaysOne() throws ListenException {
    try (WisentServer server = start(null);
        MongoClient client = connect(server)) {
      client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1));
    }
    try (WisentServer server = start("rs");
        MongoClient client = connect(server)) {
      assertThat(admin(client, "hello"))
          .containsEntry("isWritablePrimary", false)
          .containsEntry("isreplicaset", true)
          .containsEntry("info", "Does not have a valid replica set config");
      assertFails(94, client, new Document("replSetGetStatus", 1));
      assertFails(94, client, new Document("replSetGetConfig", 1));
      assertFails(94, client, new Document("replSetReconfig", new Document("_id", "rs")));
      assertFails(
          93,
          client,
          new Document(
              "replSetInitiate", new Document("_id", "other").append("members", List.of())));
      Document ofConfigServers = new Document("_id", "rs").append("configsvr", true);
      assertFails(2, client, new Document("replSetInitiate", ofConfigServers));
      admin(client, new Document("replSetInitiate", new Document()));
      checkMember(client, server.port());
      checkReconfiguration(client);
      MongoCollection<Document> collection = client.getDatabase("test").getCollection("c");
      collection.insertOne(new Document("_id", 2));
      assertThat(collection.countDocuments()).isEqualTo(2);
    }
    try (WisentServer server = start(null);
        MongoClient client = connect(server)) {
      assertThat(admin(client, "hello"))
          .containsEntry("readOnly", true)
          .doesNotContainKey("setName");
      assertThat(client.getDatabase("test").getCollection("c").countDocuments()).isEqualTo(2);
    }
    assertThatThrownBy(() -> start("other")).hasMessageContaining("belongs to the replica set rs");
    try (WisentServer server = start("rs");
        MongoClient client = connect(server)) {
      Document config = admin(client, "replSetGetConfig").get("config", Document.class);
      assertThat(config).containsEntry("version", 2);
    }
  }

  private static void checkMember(MongoClient client, int port) {
    String me = "127.0.0.1:" + port;
    Document hello = admin(client, "hello");
    assertThat(hello)
        .containsEntry("isWritablePrimary", true)
        .containsEntry("setName", "rs")
        .containsEntry("setVersion", 1)
        .containsEntry("me", me)
        .containsEntry("primary", me)
        .containsKeys("electionId", "lastWrite", "topologyVersion");
    assertThat(hello.getList("hosts", String.class)).containsExactly(me);
    assertThat(admin(client, "isMaster")).containsEntry("ismaster", true);
    assertFails(14, client, new Document("replSetGetStatus", 1).append("initialSync", "t"));
    Document asked = new Document("replSetGetStatus", 1).append("initialSync", 1);
    assertThat(admin(client, asked))
        .as("it has got nothing from others")
        .doesNotContainKey("initialSyncStatus");
    Document status = admin(client, "replSetGetStatus");
    assertThat(status).containsEntry("set", "rs").containsEntry("myState", 1);
    assertThat(status.getList("members", Document.class)).hasSize(1);
    assertThat(admin(client, "serverStatus").get("repl", Document.class))
        .containsEntry("setName", "rs");
    assertThat(admin(client, new Document("replSetGetConfig", 1).append("commitmentStatus", true)))
        .containsEntry("commitmentStatus", true);
    assertThat(
            client
                .getDatabase("local")
                .getCollection("system.replset")
                .find(new Document("_id", "rs"))
                .first())
        .containsEntry("version", 1);
    var replset = client.getDatabase("local").getCollection("system.replset");
    assertThat(replset.countDocuments()).isEqualTo(1);
    assertThat(replset.estimatedDocumentCount()).isEqualTo(1);
    assertThat(replset.countDocuments(new Document("_id", "other"))).isZero();
    assertThat(replset.distinct("version", Integer.class)).containsExactly(1);
    assertFails(23, client, new Document("replSetInitiate", new Document()));
    assertFails(95, client, new Document("replSetFreeze", 1));
    assertFails(95, client, new Document("replSetMaintenance", true));
    assertFails(
        262, client, new Document("replSetStepDown", 1).append("secondaryCatchUpPeriodSecs", 0));
    assertFails(
        2, client, new Document("replSetStepDown", 1).append("secondaryCatchUpPeriodSecs", 2));
    assertFails(124, client, new Document("replSetRequestVotes", 1));
    assertThat(admin(client, "replSetGetRBID")).containsEntry("rbid", 1);
  }

  private static void checkReconfiguration(MongoClient client) {
    Document config = admin(client, "replSetGetConfig").get("config", Document.class);
    assertFails(103, client, new Document("replSetReconfig", config));
    config.put("version", 2);
    admin(client, new Document("replSetReconfig", config));
    assertThat(admin(client, "hello")).containsEntry("setVersion", 2);
    config.put("unknown", 1);
    assertFails(93, client, new Document("replSetReconfig", config));
  }
}
