package dev.wisent.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users are data like any other. */
class KeptUsersTest {
  @TempDir Path directory;

  @Test
  void aRestartKeepsUsersAndRoles() throws Exception {
    try (WisentServer server = start()) {
      run(server, "{createRole: 'own', privileges: [], roles: ['read']}");
      run(server, "{createUser: 'ann', pwd: 'p', mechanisms: ['SCRAM-SHA-1'], roles: ['own']}");
      run(server, "{setParameter: 1, scramIterationCount: 5000}");
      run(server, "{updateUser: 'ann', pwd: 'q', mechanisms: ['SCRAM-SHA-1']}");
    }
    try (WisentServer server = start()) {
      Document ann =
          run(server, "{usersInfo: 'ann', showCredentials: true}")
              .getList("users", Document.class)
              .getFirst();
      assertThat(ann.getList("roles", Document.class))
          .containsExactly(new Document("role", "own").append("db", "admin"));
      assertThat(ann.getEmbedded(List.of("credentials", "SCRAM-SHA-1"), Document.class))
          .containsEntry("iterationCount", 5000);
      assertThat(run(server, "{rolesInfo: 'own'}").getList("roles", Document.class)).hasSize(1);
    }
  }

  private WisentServer start() throws Exception {
    return WisentServer.start(
        ServerOptions.builder(directory).port(0).cacheBytes(32 << 20).build(),
        new ServerLog(line -> {}, Clock.system()));
  }

  private static Document run(WisentServer server, String command) {
    try (MongoClient client =
        MongoClients.create("mongodb://127.0.0.1:" + server.port() + "/?directConnection=true")) {
      return client.getDatabase("admin").runCommand(Document.parse(command));
    }
  }
}
