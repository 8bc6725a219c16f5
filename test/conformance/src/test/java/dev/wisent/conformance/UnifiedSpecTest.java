package dev.wisent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The drivers' specification cases that a node by itself can be asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SpecServer.Node.class)
class UnifiedSpecTest {

  private SpecSuite suite;

  @BeforeAll
  void connect(SpecServer server) {
    SpecFiles files = SpecSuite.assumeFiles();
    suite = SpecSuite.connect(server, files, "/expected-failures.txt");
  }

  @AfterAll
  void reportTotals() {
    if (suite != null) {
      suite.finish();
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
