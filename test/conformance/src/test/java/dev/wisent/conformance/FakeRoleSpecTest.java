package dev.wisent.conformance;

import dev.wisent.conformance.fake.FakeRole;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drivers' CRUD cases against the real server over a role without a store: what commands need
 * of a database is behind the seam, and nothing else is.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FakeRoleSpecTest {

  private WisentServer server;
  private SpecSuite suite;

  @BeforeAll
  void startServer(@TempDir Path directory) throws ListenException {
    SpecFiles files = SpecSuite.assumeFiles();
    server = FakeRole.serve(directory);
    suite =
        SpecSuite.connect(
            "mongodb://127.0.0.1:" + server.port(), files, "/expected-failures-fake-role.txt");
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
}
