package dev.wisent.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.replication.raft.InProcessPeers;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that replicate within a process, and those that replicate over the network. */
class OutsideMemberTest {
  private static final int INCOMPATIBLE = 103;

  @TempDir Path directory;

  private EmbeddedNode networked() {
    return EmbeddedNode.start(
        ServerOptions.builder(directory.resolve("other")).port(0).replicaSet("rs0").build());
  }

  @Test
  void aMemberFromOutsideOfTheProcessIsRefused() {
    try (EmbeddedNode other = networked();
        Wisent set = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(set.uri())) {
      MongoDatabase admin = client.getDatabase("admin");
      assertThatThrownBy(() -> add(admin, other.address()))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(INCOMPATIBLE);
                assertThat(e.getErrorMessage()).contains("logOverNetwork()");
              });
      assertThat(members(admin)).hasSize(3);
    }
  }

  @Test
  void aSetOverTheNetworkRefusesAMemberOfAProcess() {
    try (EmbeddedSet networked =
            EmbeddedSet.start("rs0", 1, directory.resolve("set"), options -> {});
        Wisent other = Wisent.start(options -> inProcess(options.replicaSet("rs0")));
        MongoClient client = MongoClients.create(networked.uri())) {
      MongoDatabase admin = client.getDatabase("admin");
      assertThatThrownBy(() -> add(admin, "127.0.0.1:" + other.port()))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> assertThat(e.getErrorCode()).isEqualTo(INCOMPATIBLE));
    }
  }

  private static void inProcess(ServerOptions.Builder options) {
    options.logInProcess(new InProcessPeers("another"));
  }

  @Test
  void aSetThatIsToldToUsesTheNetwork() {
    try (EmbeddedNode other = networked();
        Wisent set = Wisent.replicaSet(1, ServerOptions.Builder::logOverNetwork);
        MongoClient client = MongoClients.create(set.uri())) {
      MongoDatabase admin = client.getDatabase("admin");
      add(admin, other.address());
      Eventually.await("the member has the data", () -> isSecondary(other.address()));
    }
  }

  private static boolean isSecondary(String address) {
    try (MongoClient client =
        MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
      Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
      return hello.getBoolean("secondary");
    }
  }

  private static List<Document> members(MongoDatabase admin) {
    Document config = admin.runCommand(new Document("replSetGetConfig", 1));
    return config.get("config", Document.class).getList("members", Document.class);
  }

  private static void add(MongoDatabase admin, String address) {
    Document config =
        admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
    var members = new ArrayList<>(config.getList("members", Document.class));
    members.add(new Document("_id", members.size()).append("host", address));
    config.append("members", members).append("version", config.getInteger("version") + 1);
    admin.runCommand(new Document("replSetReconfig", config));
  }
}
