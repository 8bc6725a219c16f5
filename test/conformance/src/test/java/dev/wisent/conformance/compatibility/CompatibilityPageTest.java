package dev.wisent.conformance.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.conformance.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page says what the server does. */
class CompatibilityPageTest {
  private String uri;

  @RegisterExtension
  private final BeforeEachCallback serverAccess = context -> uri = SharedServer.uri(context);

  @Test
  void thePageIsWhatTheTablesSay() throws IOException {
    Path page = root().resolve("docs").resolve("compatibility.md");
    String text;
    try (MongoClient client = MongoClients.create(uri)) {
      text = new CompatibilityPage(new Probes(client)).text();
    }
    if (Boolean.getBoolean("wisent.compatibility.write")) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page))
        .as("docs/compatibility.md is out of date; it says itself how to write it anew")
        .isEqualTo(text);
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("wisent"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
