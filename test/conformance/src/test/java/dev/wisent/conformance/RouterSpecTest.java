package dev.wisent.conformance;

import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drivers' specification cases of transactions and change streams, through two routers in front
 * of two shards.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouterSpecTest {
  private EmbeddedCluster cluster;
  private EmbeddedNode second;
  private SpecSuite suite;

  @BeforeAll
  void start(@TempDir Path directory) {
    SpecFiles files = SpecSuite.assumeFiles();
    cluster = EmbeddedCluster.start(2, directory, RouterSpecTest::withTestCommands);
    second = cluster.newRouter(directory.resolve("second"), RouterSpecTest::withTestCommands);
    String both = "mongodb://%s,%s/".formatted(cluster.router().address(), second.address());
    suite = SpecSuite.connect(cluster.uri(), both, files, "/expected-failures-router.txt");
  }

  private static void withTestCommands(ServerOptions.Builder options) {
    options.setParameter("enableTestCommands", "1");
  }

  @AfterAll
  void stop() {
    if (suite != null) {
      suite.finish();
      suite.requireSkipsOf("/skipped-router.txt", "transactions", "change-streams");
    }
    if (second != null) {
      second.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @TestFactory
  Stream<DynamicContainer> transactions() {
    return suite.containersWithCommands("transactions");
  }

  @TestFactory
  Stream<DynamicContainer> changeStreams() {
    return suite.containersWithCommands("change-streams");
  }
}
