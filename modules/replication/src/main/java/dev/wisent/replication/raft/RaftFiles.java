package dev.wisent.replication.raft;

import dev.wisent.replication.secret.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The files of a node's part in a log: {@code group} says which one it is, {@code port} where this
 * node listens, {@code secret} what its members share, {@code seed} whether it began with data of
 * its own ({@link Seed}), {@code log/} is Ratis', {@code fetched/} a checkpoint on its way in,
 * {@code served/} those that others are getting.
 */
final class RaftFiles {
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

  SecretFile secret() {
    return new SecretFile(directory.resolve("secret"));
  }

  Path seed() {
    return directory.resolve("seed");
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

  /** Remembers the port that was chosen. */
  Path port() {
    return directory.resolve("port");
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
