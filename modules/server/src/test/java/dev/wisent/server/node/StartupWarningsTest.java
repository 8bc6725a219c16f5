package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartupWarningsTest {
  @TempDir private Path directory;

  private static String warnings(String... addresses) {
    ServerLog log = ServerLog.silent();
    new StartupWarnings(List.of(addresses), log.of(LogComponent.CONTROL)).write();
    return String.join("\n", log.history().startupWarnings().lines());
  }

  @Test
  void aServerOnLocalhostIsOpenToItsMachineOnly() {
    assertThat(warnings("localhost", "::1"))
        .contains("Access control is not enabled for the database. Read and write access")
        .contains("This server is bound to localhost");
  }

  @Test
  void aServerOnTheNetworkIsOpenToAll() {
    assertThat(warnings("localhost", "192.0.2.1"))
        .contains("open to the network")
        .contains("\"bindAddresses\":[\"192.0.2.1\"]")
        .doesNotContain("bound to localhost");
    assertThat(warnings("0.0.0.0")).contains("open to the network");
    assertThat(warnings("::")).contains("open to the network");
  }

  @Test
  void readsTheLimitOfOpenFiles() throws IOException {
    Path limits = directory.resolve("limits");
    Files.writeString(
        limits,
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             95988                95988                processes
        Max open files            1024                 1048576              files
        """);

    assertThat(StartupWarnings.openFiles(limits)).hasValue(1024);
    Files.writeString(limits, "Max open files            unlimited            unlimited   files\n");
    assertThat(StartupWarnings.openFiles(limits)).isEmpty();
    assertThat(StartupWarnings.openFiles(directory.resolve("none"))).isEmpty();
  }
}
