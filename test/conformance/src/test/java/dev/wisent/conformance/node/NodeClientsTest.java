package dev.wisent.conformance.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.Differences;
import dev.wisent.conformance.SharedServer;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Differences.class)
class NodeClientsTest {

  static final String MONGOSH_VERSION = "2.12.0";
  private static final String DRIVER_VERSION = "7.8.0";
  private static final Duration PATIENCE = Duration.ofSeconds(420);

  @TempDir private Path home;
  private NodePackages packages;

  // Asked only by a test that has found its packages: a skipped one needs no server.
  private Supplier<String> uri;

  @RegisterExtension
  private final BeforeEachCallback serverAccess = context -> uri = () -> SharedServer.uri(context);

  @BeforeEach
  void findNode() {
    packages = NodePackages.assumeNode();
  }

  @Test
  void mongoshScript() {
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    ScriptResult result =
        packages
            .mongosh(modules, home, uri.get(), script("mongosh-session.js").toString())
            .run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
  }

  @Test
  void classicRecipesInMongosh() {
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    ScriptResult result =
        packages
            .mongosh(modules, home, uri.get(), script("mongosh-recipes.js").toString())
            .run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains("11 checks passed, 0 failed");
  }

  @Test
  void mongoshCommandsOnStandardInput() {
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    ScriptResult result =
        packages
            .mongosh(modules, home, uri.get())
            .withStdin(
                """
                use shell_tests
                db.first.insertOne({x: 1}).acknowledged
                db.second.insertOne({x: 2}).acknowledged
                show collections
                show dbs
                db.dropDatabase().dropped
                """)
            .run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout())
        .contains("switched to db shell_tests")
        .containsPattern("(?m)(^|> )first$")
        .containsPattern("(?m)(^|> )second$")
        .containsPattern("(?m)(^|> )shell_tests +\\d+(\\.\\d\\d)? \\w+")
        .doesNotContain("Error");
  }

  @Test
  void mongoshEval() {
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    ScriptResult result =
        packages.mongosh(modules, home, uri.get(), "--eval", "show dbs").run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
  }

  @Test
  void nodeDriverScript() {
    Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);

    ScriptResult result =
        packages.script(modules, script("node-driver.js"), uri.get()).run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
  }

  private static Path script(String name) {
    try {
      return Path.of(NodeClientsTest.class.getResource("/node/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no script " + name, e);
    }
  }
}
