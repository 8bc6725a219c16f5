package dev.wisent.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberNetworkTest {

  @TempDir private Path scratch;

  @BeforeEach
  void needsNamespaces() {
    assumeTrue(NamespaceNetwork.available(), "no right to make network namespaces");
  }

  @Test
  void aCutSeparatesTwoHostsAndNobodyElse() throws IOException {
    try (MemberNetwork network = NamespaceNetwork.open()) {
      MemberHost one = network.addHost();
      MemberHost two = network.addHost();
      MemberHost three = network.addHost();
      Process listener = listen(two);
      try {
        assertThat(reaches(one, two)).isTrue();

        network.cut(one, two);
        assertThat(reaches(one, two, 2_000)).isFalse();
        assertThat(reaches(three, two)).isTrue();
        assertThat(reaches(MemberHost.LOOPBACK, two)).as("the test itself").isTrue();

        network.heal();
        assertThat(reaches(one, two)).isTrue();
      } finally {
        listener.destroyForcibly();
      }
    }
  }

  @Test
  void nothingIsLeftBehind() {
    String name;
    try (MemberNetwork network = NamespaceNetwork.open()) {
      name = network.addHost().launcher().getLast();
      assertThat(SystemCommand.run("ip", "netns", "list")).contains(name);
    }
    assertThat(SystemCommand.run("ip", "netns", "list")).doesNotContain(name);
  }

  /** Accepts connections on a host until it is destroyed. */
  private Process listen(MemberHost host) throws IOException {
    Path source =
        Files.writeString(
            scratch.resolve("Listen.java"),
            """
            void main(String[] args) throws Exception {
              var address = java.net.InetAddress.getByName(args[0]);
              try (var listener = new java.net.ServerSocket(5555, 50, address)) {
                while (true) {
                  listener.accept().close();
                }
              }
            }
            """);
    Process process = java(host, source, host.address());
    Eventually.holds(
        "a listener", Duration.ofSeconds(180), () -> reaches(MemberHost.LOOPBACK, host));
    return process;
  }

  private boolean reaches(MemberHost from, MemberHost to) throws IOException {
    return reaches(from, to, 60_000);
  }

  private boolean reaches(MemberHost from, MemberHost to, int millis) throws IOException {
    Path source =
        Files.writeString(
            scratch.resolve("Connect.java"),
            """
            void main(String[] args) throws Exception {
              try (var socket = new java.net.Socket()) {
                var address = new java.net.InetSocketAddress(args[0], 5555);
                socket.connect(address, Integer.parseInt(args[1]));
              }
            }
            """);
    try {
      return java(from, source, to.address(), Integer.toString(millis)).waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static Process java(MemberHost host, Path source, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(host.launcher());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(source.toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
