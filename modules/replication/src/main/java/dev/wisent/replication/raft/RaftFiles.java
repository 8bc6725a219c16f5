package dev.wisent.replication.raft;

import dev.wisent.base.RandomSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The files of a node's part in a log: {@code group} says which one it is, {@code port} where this
 * node listens, {@code log/} is Ratis', {@code fetched/} a checkpoint on its way in, {@code
 * served/} those that others are getting.
 */
final class RaftFiles {
  private static final int LOWEST_PORT = 28_100;
  private static final int HIGHEST_PORT = 32_768;
  private static final int PORT_ATTEMPTS = 200;

  private final Path directory;

  RaftFiles(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(log());
      deleteRecursively(fetched());
      deleteRecursively(served());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use the directory " + directory, e);
    }
  }

  Path log() {
    return directory.resolve("log");
  }

  Path fetched() {
    return directory.resolve("fetched");
  }

  Path served() {
    return directory.resolve("served");
  }

  GroupFile group() {
    return new GroupFile(directory);
  }

  /** Removes what Ratis keeps. */
  void clearLog() {
    try {
      deleteRecursively(log());
      Files.createDirectories(log());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove the log in " + directory, e);
    }
  }

  /** The port that was chosen at the first start: the others remember it, too. */
  int port(RandomSource random) {
    Path file = directory.resolve("port");
    try {
      return Integer.parseInt(Files.readString(file, StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      return choosePort(file, random);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }

  /**
   * A port that no process has now, and that no outgoing connection gets while this node is down:
   * those have higher ones.
   */
  private static int choosePort(Path file, RandomSource random) {
    IOException refused = null;
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      int port = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
      try (ServerSocket socket = new ServerSocket(port)) {
        Files.writeString(file, socket.getLocalPort() + "\n", StandardCharsets.UTF_8);
        return port;
      } catch (BindException e) {
        refused = e;
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot choose a port", e);
      }
    }
    throw new UncheckedIOException("Cannot choose a port", refused);
  }

  /** Removes a directory with everything in it, if it is there. */
  static void deleteRecursively(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      // Nothing to remove.
    }
  }
}
