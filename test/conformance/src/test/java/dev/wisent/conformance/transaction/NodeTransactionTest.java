package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.replica.SharedReplicaSet;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transactions and change streams of programs in Node.js: mongosh, the driver, Mongoose, an
 * example.
 */
@ExtendWith(SharedReplicaSet.Extension.class)
class NodeTransactionTest {

  private static final String MONGOSH_VERSION = "2.12.0";
  private static final String MONGOOSE_VERSION = "9.12.0";
  private static final String DRIVER_VERSION = "7.8.0";
  private static final Duration PATIENCE = Duration.ofSeconds(420);

  @TempDir private Path home;

  @Test
  void nodeDriver(ReplicaSetProcesses set) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);
    // The tests run in test/conformance.
    Path dashboard = Path.of("../../examples/dashboard/dashboard.js").toAbsolutePath().normalize();

    assertPasses(
        packages
            .script(modules, script("transactions-driver.js"), set.uri(), dashboard.toString())
            .run(PATIENCE));
  }

  @Test
  void mongoose(ReplicaSetProcesses set) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongoose", MONGOOSE_VERSION);

    assertPasses(
        packages.script(modules, script("transactions-mongoose.js"), set.uri()).run(PATIENCE));
  }

  @Test
  void mongosh(ReplicaSetProcesses set) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    assertPasses(
        packages
            .mongosh(modules, home, set.uri(), script("transactions-mongosh.js").toString())
            .run(PATIENCE));
  }

  private static void assertPasses(ScriptResult result) {
    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
  }

  private static Path script(String name) {
    try {
      return Path.of(NodeTransactionTest.class.getResource("/node/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no script " + name, e);
    }
  }
}
