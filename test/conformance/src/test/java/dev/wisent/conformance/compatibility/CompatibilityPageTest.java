package dev.wisent.conformance.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.base.log.ServerLog;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.conformance.SharedServer;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import dev.wisent.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page says what the server does. */
class CompatibilityPageTest {
  private String uri;

  @RegisterExtension
  private final BeforeEachCallback serverAccess = context -> uri = SharedServer.uri(context);

  @TempDir Path directory;

  @Test
  void thePageIsWhatTheTablesSay() throws IOException, ListenException {
    Path page = root().resolve("docs").resolve("compatibility.md");
    String text;
    try (MongoClient client = MongoClients.create(uri);
        TestCluster cluster = TestCluster.start(1, directory.resolve("cluster"))) {
      EmbeddedCluster nodes = cluster.cluster();
      var columns =
          new CommandColumns(
              commands(),
              nodes.shards().getFirst().members().getFirst().commands(),
              nodes.config().members().getFirst().commands(),
              nodes.router().commands());
      text = new CompatibilityPage(new Probes(client, cluster.client()), columns).text();
    }
    if (Boolean.getBoolean("wisent.compatibility.write")) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page))
        .as("docs/compatibility.md is out of date; it says itself how to write it anew")
        .isEqualTo(text);
  }

  private List<CommandSpec> commands() throws ListenException {
    ServerOptions options =
        ServerOptions.builder(directory.resolve("node"))
            .port(0)
            .setParameter("enableTestCommands", "1")
            .build();
    try (WisentServer server = WisentServer.start(options, ServerLog.silent())) {
      return server.commands();
    }
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("wisent"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
