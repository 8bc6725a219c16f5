package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.network.MemberHost;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open set becomes a closed one by two rounds of restarts, and no client notices. */
@Tag("faults")
class ClosingSetTest {
  private static final String OPEN = "operationProfiling:\n  slowOpThresholdMs: 100\n";
  private static final String CLOSED = OPEN + "security:\n  keyFile: %s\n";
  private static final String BOTH = CLOSED + "  transitionToAuth: true\n";

  @TempDir private Path directory;

  private void configure(String text, AccessFiles files) throws IOException {
    Files.writeString(directory.resolve("config.yaml"), text.formatted(files.key()));
  }

  private static void createCollection(MongoClient client, String name) {
    client.getDatabase("test").createCollection(name);
  }

  @Test
  void noOperationFails() throws Exception {
    var files = new AccessFiles(directory.resolve("files"));
    configure(OPEN, files);
    String config = directory.resolve("config.yaml").toString();
    SetOptions options =
        SetOptions.of(3)
            .withArguments("--config", config)
            .withProcess(process -> process.on(MemberHost.LOOPBACK));
    try (var set = ReplicaSetProcesses.start(directory.resolve("set"), options);
        MongoClient open = MongoClients.create(set.uri());
        MongoClient root =
            MongoClients.create(set.uri().replace("mongodb://", "mongodb://root:secret@"))) {
      open.getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
      configure(BOTH, files);
      try (var client = new SteadyClient(open)) {
        client.restartEach(set);
      }
      createCollection(open, "a");
      createCollection(root, "b");
      configure(CLOSED, files);
      try (var client = new SteadyClient(root)) {
        client.restartEach(set);
      }
      createCollection(root, "c");
      assertThatThrownBy(() -> createCollection(open, "d"))
          .isInstanceOf(MongoCommandException.class)
          .hasMessageContaining("error 13");
    }
  }
}
