package dev.wisent.conformance;

import dev.wisent.testkit.TestServer;
import dev.wisent.testkit.TestServers;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The drivers' specification cases that a node by itself can be asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnifiedSpecTest {

  private TestServer server;
  private SpecSuite suite;

  @BeforeAll
  void startServer(@TempDir Path directory) {
    SpecFiles files = SpecSuite.assumeFiles();
    server = TestServers.start(directory);
    suite = SpecSuite.connect(server.uri(), files, "/expected-failures.txt");
  }

  @AfterAll
  void reportTotals() {
    try {
      if (suite != null) {
        suite.finish();
      }
    } finally {
      if (server != null) {
        server.close();
      }
    }
  }

  @TestFactory
  Stream<DynamicContainer> crud() {
    return suite.containers("crud");
  }

  @TestFactory
  Stream<DynamicContainer> collectionManagement() {
    return suite.containers("collection-management");
  }

  @TestFactory
  Stream<DynamicContainer> indexManagement() {
    return suite.containers("index-management");
  }

  @TestFactory
  Stream<DynamicContainer> runCommand() {
    return suite.containers("run-command");
  }

  /** One of them is for a node by itself, which refuses to open a stream. */
  @TestFactory
  Stream<DynamicContainer> changeStreams() {
    return suite.containers("change-streams");
  }
}
