package dev.wisent.conformance.access;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of a cluster, through its router. */
@Execution(ExecutionMode.CONCURRENT)
class RouterLoginTest {
  @TempDir private static Path directory;
  private static LoginAttempts attempts;

  @BeforeAll
  static void start() {
    attempts =
        LoginAttempts.start(
            ClosedDeployment.cluster(directory.resolve("cluster")),
            LoginCases.few(),
            directory.resolve("clients"));
  }

  @AfterAll
  static void stop() {
    if (attempts != null) {
      attempts.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyClientGetsWhatItMay(ClientProgram program) {
    attempts.check(program);
  }

  @Test
  void badCertificatesAreTheReason() {
    attempts.checkHandshakes();
  }
}
