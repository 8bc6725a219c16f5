package dev.wisent.conformance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.page.CodeBlock;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link PagesTest}, with what takes long. */
@Tag("faults")
class LongPagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final Pattern START =
      Pattern.compile("(?m)^\\./wisent ((?:server|cluster)\\b[^#\\n]*)");
  private static final Pattern URI = Pattern.compile("mongodb://\\S+");

  static List<String> pages() {
    return PagesTest.PAGES;
  }

  static Set<String> starts() {
    Set<String> starts = new LinkedHashSet<>();
    for (String page : PagesTest.PAGES) {
      for (CodeBlock block : MarkdownPage.read(page).in("sh")) {
        Matcher start = START.matcher(block.text());
        while (!PageRun.isMarked(block) && start.find()) {
          starts.add(start.group(1).strip());
        }
      }
    }
    return starts;
  }

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("pages")
  void doesWhatItSays(String page) throws IOException {
    try (PageRun run = PageRun.start(directory)) {
      run.run(MarkdownPage.read(page), true);
    }
  }

  @Test
  void serversAreStarted() {
    assertThat(starts()).anyMatch("server"::equals).anyMatch(start -> start.startsWith("cluster"));
  }

  /** The commands that start servers, in processes of their own. Only the ports are others. */
  @ParameterizedTest
  @MethodSource("starts")
  void starts(String start) throws IOException {
    List<String> command = new ArrayList<>(JavaCommand.of("dev.wisent.cli.WisentMain"));
    command.addAll(Arrays.asList(start.split(" +")));
    int port = FreePort.find();
    command.addAll(List.of("--port", Integer.toString(port), "--dbpath", "data"));
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      if (start.startsWith("cluster")) {
        Eventually.holds(
            start + " prints a connection string",
            PATIENCE,
            () -> URI.matcher(Files.readString(out)).find());
      }
      try (MongoClient client =
          MongoClients.create(
              "mongodb://localhost:" + port + "/?serverSelectionTimeoutMS=120000")) {
        var animals = client.getDatabase("test").getCollection("animals");
        animals.insertOne(new Document("name", "wisent"));
        assertThat(animals.countDocuments()).isOne();
      }
    } finally {
      process.destroy();
      Eventually.holds(start + " has ended", PATIENCE, () -> !process.isAlive());
    }
  }
}
