package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterRunTest {
  @Test
  void aPortThatIsTakenIsNamedBeforeAnythingStarts(@TempDir Path directory) throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int last = taken.getLocalPort();
      var settings =
          new ClusterSettings(2, 1, 1, 1, last - 3, directory.resolve("cluster"), "rs0", List.of());
      var out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
      StartException error =
          catchThrowableOfType(StartException.class, () -> new ClusterRun(settings, out).run());
      assertThat(error)
          .hasMessageStartingWith("the cluster needs the ports " + (last - 3) + " to " + last)
          .hasMessageContaining(Integer.toString(last))
          .hasMessageEndingWith("--port chooses the first one");
      assertThat(error.exitCode()).isEqualTo(ExitCode.NETWORK);
      assertThat(directory.resolve("cluster")).doesNotExist();
    }
  }
}
