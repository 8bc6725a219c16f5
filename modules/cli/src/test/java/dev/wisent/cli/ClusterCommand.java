package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** {@code wisent cluster} in a process of its own, on free ports. */
final class ClusterCommand implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 180;

  /** Below the ports that the system gives to those that ask for any. */
  private static final int PORT_MIN = 20_000;

  private static final int PORTS = 10_000;
  private static final int STEP = 10;

  private final Process process;
  private final Path output;

  private ClusterCommand(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Returns when the cluster is running. Its data is in {@code cluster}.
   *
   * @param port of the first process that clients use
   * @param greeting what it says at last
   */
  static ClusterCommand start(Path directory, int port, List<String> flags, String greeting)
      throws IOException, InterruptedException {
    Path output = directory.resolve("cluster.out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(WisentMain.class.getName(), "cluster"));
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", directory.resolve("cluster").toString()));
    command.addAll(flags);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    var cluster = new ClusterCommand(process, output);
    try {
      cluster.awaitOutput(greeting);
      return cluster;
    } catch (AssertionError | IOException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  private void awaitOutput(String text) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!output().contains(text)) {
      boolean ended = !process.isAlive();
      assertThat(ended || System.nanoTime() > deadline).as("no cluster: %s", output()).isFalse();
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  /** The first of some free ports in a row. */
  static int freePorts(int count) throws IOException {
    int start;
    try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      start = any.getLocalPort();
    }
    return IntStream.iterate(0, i -> i < PORTS, i -> i + STEP)
        .map(i -> PORT_MIN + (start + i) % PORTS)
        .filter(first -> IntStream.range(first, first + count).allMatch(ClusterCommand::isFree))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
