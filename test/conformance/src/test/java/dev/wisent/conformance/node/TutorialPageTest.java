package dev.wisent.conformance.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.SharedServer;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code docs/tutorial.md} has people type into {@code mongosh} prints what stands below it.
 */
class TutorialPageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Pattern BLOCK =
      Pattern.compile("```(js|text)\\n(.*?)```\\n", Pattern.DOTALL);

  /** Of a block the last statement, which is the one whose value the shell shows. */
  private static final Pattern LAST = Pattern.compile("(?s)(.*\\n|^)(db\\.\\S.*)");

  private String uri;

  @RegisterExtension
  private final BeforeEachCallback serverAccess = context -> uri = SharedServer.uri(context);

  @TempDir private Path directory;

  @Test
  void printsWhatIsBelow() throws IOException {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", NodeClientsTest.MONGOSH_VERSION);
    StringBuilder script = new StringBuilder("db.getSiblingDB('zoo').dropDatabase();\n");
    StringBuilder expected = new StringBuilder();
    Matcher blocks = BLOCK.matcher(Files.readString(page()));
    while (blocks.find()) {
      if (blocks.group(1).equals("text")) {
        expected.append(blocks.group(2));
        continue;
      }
      Matcher last = LAST.matcher(blocks.group(2).strip());
      assertThat(last.matches()).as(blocks.group(2)).isTrue();
      script.append(last.group(1)).append("console.log(").append(last.group(2)).append(");\n");
    }
    assertThat(expected.toString().lines()).hasSizeGreaterThan(10);
    Path file = Files.writeString(directory.resolve("tutorial.js"), script);
    ScriptResult result =
        packages
            .mongosh(modules, directory.resolve("home"), uri, "--quiet", file.toString())
            .run(PATIENCE);
    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout().strip()).isEqualTo(expected.toString().strip());
  }

  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/tutorial.md"))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs/tutorial.md");
  }
}
