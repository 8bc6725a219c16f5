package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** mongosh and the Node.js driver on a replica set. */
@ExtendWith(SharedReplicaSet.Extension.class)
class NodeReplicaSetTest {

  private static final String MONGOSH_VERSION = "2.12.0";
  private static final String DRIVER_VERSION = "7.8.0";
  private static final Duration PATIENCE = Duration.ofSeconds(420);

  @TempDir private Path home;

  @Test
  void mongoshScript(ReplicaSetProcesses set) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);

    ScriptResult result =
        packages
            .mongosh(modules, home, set.uri(), script("replica-set-mongosh.js").toString())
            .run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
    set.awaitPrimary();
  }

  @Test
  void nodeDriverScript(ReplicaSetProcesses set) {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);

    ScriptResult result =
        packages.script(modules, script("replica-set-driver.js"), set.uri()).run(PATIENCE);

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains(" checks passed, 0 failed");
    set.awaitPrimary();
  }

  private static Path script(String name) {
    try {
      return Path.of(NodeReplicaSetTest.class.getResource("/node/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no script " + name, e);
    }
  }
}
