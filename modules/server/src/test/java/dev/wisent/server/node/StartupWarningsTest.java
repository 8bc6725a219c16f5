package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartupWarningsTest {
  @TempDir private Path directory;

  private static String warnings(ServerOptions.Builder options, String... addresses) {
    ServerLog log = ServerLog.silent();
    ServerOptions built = options.bindAddresses(List.of(addresses)).build();
    new StartupWarnings(built, log.of(LogComponent.CONTROL)).write();
    return String.join("\n", log.history().startupWarnings().lines());
  }

  private static ServerOptions.Builder options() {
    return ServerOptions.builder(Path.of("data"));
  }

  private static ServerOptions.Builder closed() {
    return options()
        .access(new AccessOptions(true, Optional.empty(), AccessOptions.ClusterAuthMode.KEY_FILE));
  }

  @Test
  void aServerIsBoundToLocalhostUnlessToldOtherwise() {
    assertThat(options().build().bindAddresses()).containsExactly("127.0.0.1");
  }

  @Test
  void aServerOnLocalhostIsOpenToItsMachineOnly() {
    assertThat(warnings(options(), "localhost", "::1"))
        .contains("\"id\":22120", "Access control is not enabled for the database. Read and write")
        .contains("\"id\":22140", "This server is bound to localhost")
        .doesNotContain("open to the network", "not encrypted");
  }

  @Test
  void aServerOnTheNetworkIsOpenToAll() {
    assertThat(warnings(options(), "localhost", "192.0.2.1"))
        .contains("\"id\":22120", "open to the network", "not encrypted")
        .contains("\"bindAddresses\":[\"192.0.2.1\"]")
        .doesNotContain("bound to localhost");
    assertThat(warnings(options(), "0.0.0.0")).contains("open to the network");
    assertThat(warnings(options(), "::")).contains("open to the network");
  }

  @Test
  void withAccessControlOnlyEncryptionIsMissing() {
    assertThat(warnings(closed(), "0.0.0.0"))
        .contains("not encrypted")
        .doesNotContain("22120", "open to the network");
    assertThat(warnings(closed(), "localhost")).doesNotContain("22120", "not encrypted");
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
