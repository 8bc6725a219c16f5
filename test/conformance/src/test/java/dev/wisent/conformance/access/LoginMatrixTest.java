package dev.wisent.conformance.access;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/** All clients with all cases on each kind of deployment. */
@Tag("faults")
class LoginMatrixTest {
  @TempDir private Path directory;

  private enum Kind {
    NODE(ClosedDeployment::node, LoginCases.all()),
    STRICT_NODE(ClosedDeployment::strictNode, LoginCases.withCertificates()),
    SET(ClosedDeployment::set, LoginCases.all()),
    SET_BY_CERTIFICATES(ClosedDeployment::setByCertificates, LoginCases.withCertificates()),
    CLUSTER(ClosedDeployment::cluster, LoginCases.all()),
    CLUSTER_BY_CERTIFICATES(ClosedDeployment::clusterByCertificates, LoginCases.withCertificates());

    private final Function<Path, ClosedDeployment> deployment;
    private final List<LoginCase> cases;

    Kind(Function<Path, ClosedDeployment> deployment, List<LoginCase> cases) {
      this.deployment = deployment;
      this.cases = cases;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyClientGetsWhatItMay(Kind kind) {
    List<String> missing = new ArrayList<>();
    try (LoginAttempts attempts =
        LoginAttempts.start(
            kind.deployment.apply(directory.resolve("servers")),
            kind.cases,
            directory.resolve("clients"))) {
      for (ClientProgram program : ClientProgram.values()) {
        try {
          attempts.check(program);
        } catch (TestAbortedException e) {
          missing.add(program + ": " + e.getMessage());
        }
      }
      attempts.checkHandshakes();
    }
    if (!missing.isEmpty()) {
      throw new TestAbortedException("not all clients are here: " + missing);
    }
  }
}
