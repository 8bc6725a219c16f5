package dev.wisent.conformance.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.base.log.ServerLog;
import dev.wisent.conformance.SharedServer;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
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
    try (MongoClient client = MongoClients.create(uri)) {
      text = new CompatibilityPage(new Probes(client), new CommandColumns(commands())).text();
    }
    if (Boolean.getBoolean("wisent.compatibility.write")) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page))
        .as("docs/compatibility.md is out of date; it says itself how to write it anew")
        .isEqualTo(text);
  }

  private List<CommandSpec> commands() throws ListenException {
    ServerOptions options = ServerOptions.builder(directory).port(0).build();
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
