package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The page of settings and parameters is what the tables say. */
class ConfigurationPageTest {
  private static final String HEAD =
      """
      # Configuration file and parameters

      `wisent server` and `wisent router` read a file in `mongod`'s YAML format with `--config FILE`; what a flag says takes
      precedence over the file. This page is for those who write such a file. It is generated: a test compares it with the tables. To
      write it anew: `mvn -pl modules/cli -am test -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false
      -Dwisent.flags.write=true`.

      ```yaml
      storage:
        dbPath: /var/lib/wisent
        cacheSizeGB: 4
      net:
        port: 27017
        bindIp: localhost,10.0.0.5
      replication:
        replSetName: rs0
      setParameter:
        cursorTimeoutMillis: 300000
      ```
      """;

  @Test
  void thePageIsWhatTheTablesSay() throws IOException {
    Path page = Path.of("").toAbsolutePath().resolve("../../docs/configuration.md").normalize();
    String text = ConfigurationPage.of(HEAD, parameters());
    if (Boolean.getBoolean("wisent.flags.write")) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page))
        .as("docs/configuration.md is out of date; it says itself how to write it anew")
        .isEqualTo(text);
  }

  private static Document parameters() {
    try (Wisent wisent = Wisent.start();
        MongoClient client = MongoClients.create(wisent.uri())) {
      return client
          .getDatabase("admin")
          .runCommand(
              new Document(
                  "getParameter", new Document("allParameters", true).append("showDetails", true)));
    }
  }

  /** The example on the page starts a server. */
  @Test
  void theExampleIsAFile() throws Exception {
    String yaml = HEAD.substring(HEAD.indexOf("```yaml") + 8, HEAD.lastIndexOf("```"));
    Path file = Files.writeString(Files.createTempFile("wisent", ".conf"), yaml);
    try {
      assertThat(ConfigFile.read(file).arguments())
          .containsSubsequence("--dbpath", "/var/lib/wisent")
          .containsSubsequence("--bind_ip", "localhost,10.0.0.5")
          .containsSubsequence("--setParameter", "cursorTimeoutMillis=300000");
    } finally {
      Files.delete(file);
    }
  }
}
