package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Second names for the logs of a database, from before it is opened until it is known that nothing
 * of them was lost. RocksDB removes a log once it has read it as far as it can; an operator may
 * know how to read the rest.
 */
final class KeptLogs {
  static final String DAMAGED = "damaged-logs";

  private static final String AT_START = "logs-at-start";

  private final Path root;
  private final Path directory;

  private KeptLogs(Path root) {
    this.root = root;
    this.directory = root.resolve(AT_START);
  }

  static KeptLogs keep(Path root, Path database) throws IOException {
    var kept = new KeptLogs(root);
    kept.discard(); // left by a start that was cut off
    if (Files.isDirectory(database)) {
      Files.createDirectory(kept.directory);
      for (Path log : logs(database)) {
        kept.link(log);
      }
    }
    return kept;
  }

  private void link(Path log) throws IOException {
    Path name = directory.resolve(log.getFileName());
    try {
      Files.createLink(name, log);
    } catch (UnsupportedOperationException e) {
      Files.copy(log, name);
    }
  }

  /** Removes what was kept and not retained. */
  void discard() {
    try {
      if (Files.isDirectory(directory)) {
        for (Path log : logs(directory)) {
          Files.delete(log);
        }
        Files.delete(directory);
      }
    } catch (IOException e) {
      // Only space is lost, until the next start.
    }
  }

  /** Leaves them for people to look at; the ones from the first start that failed are the best. */
  Path retain() throws IOException {
    Path damaged = root.resolve(DAMAGED);
    if (!Files.exists(damaged)) {
      Files.move(directory, damaged);
    }
    return damaged;
  }

  private static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    }
  }
}
