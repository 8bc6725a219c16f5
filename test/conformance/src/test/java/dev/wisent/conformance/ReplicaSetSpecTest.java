package dev.wisent.conformance;

import dev.wisent.testkit.Topology;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The drivers' specification cases that need a replica set or a router. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(SpecServer.ReplicaSet.class)
class ReplicaSetSpecTest {

  private SpecSuite suite;

  @BeforeAll
  void connect(SpecServer server) {
    SpecFiles files = SpecSuite.assumeFiles();
    suite = SpecSuite.connect(server, files, "/expected-failures-replica-set.txt");
  }

  @AfterAll
  void reportTotals() {
    if (suite != null) {
      suite.finish();
      if (Topology.ofRun() == Topology.SERVER) {
        suite.requireSkipsOf("/skipped-replica-set.txt", "transactions", "change-streams");
      }
    }
  }

  @TestFactory
  Stream<DynamicContainer> retryableWrites() {
    return suite.containers("retryable-writes");
  }

  @TestFactory
  Stream<DynamicContainer> sessions() {
    return suite.containers("sessions");
  }

  @TestFactory
  Stream<DynamicContainer> readWriteConcern() {
    return suite.containers("read-write-concern");
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
