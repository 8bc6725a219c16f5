package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import dev.wisent.conformance.access.AccessFiles.Shown;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.testkit.page.MarkdownPage;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A set gets another key as the page says, by restarts of its processes, and no client notices. */
@Tag("faults")
class KeyChangeTest {
  @TempDir private Path directory;

  private static Document member(ClosedDeployment at, String key) {
    MongoCredential system =
        MongoCredential.createScramSha256Credential("__system", "local", key.toCharArray());
    try (MongoClient client = at.client(system, Shown.STRANGER)) {
      return client.getDatabase("admin").runCommand(new Document("connectionStatus", 1));
    }
  }

  private static void assertTaken(ClosedDeployment at, String key) {
    assertThat(member(at, key).toJson()).contains("__system");
  }

  private static void assertRefused(ClosedDeployment at, String key) {
    assertThatThrownBy(() -> member(at, key)).isInstanceOf(MongoSecurityException.class);
  }

  @Test
  void noOperationFails() throws Exception {
    String both =
        MarkdownPage.read("docs/security.md").block("Members of a set or cluster", "yaml").text();
    var files = new AccessFiles(directory.resolve("files"));
    files.writeKey(both);
    List<String> keys = KeyFile.read(files.key());
    String oldKey = keys.getFirst();
    String newKey = keys.getLast();
    files.writeKey(oldKey);
    try (ClosedDeployment set = ClosedDeployment.set(directory.resolve("set"), files);
        MongoClient root = set.root()) {
      var processes = (ReplicaSetProcesses) set.servers();
      try (var client = new SteadyClient(root)) {
        assertTaken(set, oldKey);
        assertRefused(set, newKey);
        files.writeKey(both);
        client.restartEach(processes);
        assertTaken(set, oldKey);
        assertTaken(set, newKey);
        files.writeKey(newKey);
        client.restartEach(processes);
        assertTaken(set, newKey);
        assertRefused(set, oldKey);
      }
    }
  }
}
