package dev.wisent.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the launcher that starts the server under test. */
final class RepositoryRoot {
  private static final String LAUNCHER = "wisent";

  private RepositoryRoot() {}

  /** The launcher above the current directory or above our own classes, else {@code ./wisent}. */
  static Path launcher() {
    Path found = above(Path.of("").toAbsolutePath());
    return found != null ? found : aboveClasses();
  }

  private static Path aboveClasses() {
    try {
      Path classes =
          Path.of(RepositoryRoot.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path found = above(classes);
      return found != null ? found : Path.of(LAUNCHER).toAbsolutePath();
    } catch (URISyntaxException e) {
      return Path.of(LAUNCHER).toAbsolutePath();
    }
  }

  private static Path above(Path start) {
    for (Path directory = start; directory != null; directory = directory.getParent()) {
      Path launcher = directory.resolve(LAUNCHER);
      if (Files.isRegularFile(launcher) && Files.isExecutable(launcher)) {
        return launcher;
      }
    }
    return null;
  }
}
