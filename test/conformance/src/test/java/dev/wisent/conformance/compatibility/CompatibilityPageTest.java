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
import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The pages say what the server does. */
class CompatibilityPageTest {
  private String uri;

  @RegisterExtension
  private final BeforeEachCallback serverAccess = context -> uri = SharedServer.uri(context);

  @TempDir Path directory;

  @Test
  void thePagesAreWhatTheTablesSay() throws IOException, ListenException {
    String compatibility;
    String commands;
    try (MongoClient client = MongoClients.create(uri);
        TestCluster cluster = TestCluster.start(1, directory.resolve("cluster"))) {
      EmbeddedCluster nodes = cluster.cluster();
      List<CommandSpec> data = commands();
      List<CommandSpec> shard = nodes.shards().getFirst().members().getFirst().commands();
      List<CommandSpec> config = nodes.config().members().getFirst().commands();
      List<CommandSpec> router = nodes.router().commands();
      var columns = new CommandColumns(data, shard, config, router);
      compatibility = new CompatibilityPage(new Probes(client, cluster.client()), columns).text();
      commands = new CommandsPage(List.of(data, shard, config, router), columns).text();
    }
    check("docs/compatibility.md", compatibility);
    check("docs/commands.md", commands);
  }

  private static void check(String path, String text) throws IOException {
    Path page = Checkout.file(path);
    if (Boolean.getBoolean("wisent.compatibility.write")) {
      Files.writeString(page, text);
    }
    assertThat(page).as("%s; it says itself how to write it anew", path).exists();
    assertThat(Files.readString(page))
        .as("%s is out of date; it says itself how to write it anew", path)
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
}
