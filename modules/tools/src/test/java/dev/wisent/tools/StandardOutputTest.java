package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Standard output that fails, as where the disk is full: what is cut short is no success. */
class StandardOutputTest {
  private static final int BYTES_MAX = 3;

  private static Wisent server;

  @TempDir private static Path directory;

  @BeforeAll
  static void start() throws ToolException {
    server = Wisent.start();
    try (MongoClient client = MongoClients.create(server.uri())) {
      SampleData.fill(client, "shop");
    }
    new ToolHarness()
        .input("content")
        .run("files", "--uri=" + server.uri(), "put", "a", "--local=-");
    new ToolHarness().run("dump", "--uri=" + server.uri(), "-d=shop", "--out=" + directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertFails(String... arguments) {
    var tool = new ToolHarness().outputBytesMax(BYTES_MAX);
    assertThatThrownBy(() -> tool.run(arguments))
        .as("%s", List.of(arguments))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("standard output takes no more");
    assertThat(tool.bytes()).hasSize(BYTES_MAX);
  }

  @Test
  void dumps() {
    assertFails("dump", "--uri=" + server.uri(), "--archive");
    assertFails("dump", "--uri=" + server.uri(), "--archive", "--gzip");
    assertFails("dump", "--uri=" + server.uri(), "-d=shop", "-c=orders", "--out=-");
    assertFails("dump", "--uri=" + server.uri(), "-d=shop", "-c=clustered", "--out=-");
  }

  @Test
  void exports() {
    assertFails("export", "--uri=" + server.uri(), "-d=shop", "-c=orders");
    assertFails("export", "--uri=" + server.uri(), "-d=shop", "-c=clustered");
  }

  @Test
  void files() {
    assertFails("files", "--uri=" + server.uri(), "get", "a", "--local=-");
    assertFails("files", "--uri=" + server.uri(), "list");
  }

  @Test
  void shownDumps() {
    assertFails("bsondump", directory.resolve("shop/clustered.bson").toString());
  }

  @Test
  void liveFigures() {
    assertFails("stat", "--uri=" + server.uri(), "--rowcount=100000", "1");
  }
}
