package dev.wisent.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the checkout that the tests run in. */
final class Repository {
  private Repository() {}

  /** The nearest directory upwards that has the launcher and a pom.xml. */
  static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null) {
      if (Files.exists(directory.resolve("wisent")) && Files.exists(directory.resolve("pom.xml"))) {
        return directory;
      }
      directory = directory.getParent();
    }
    throw new IllegalStateException("not run inside the repository");
  }

  /** The Java files of the product and of the benchmark, without tests. */
  static List<Path> mainSources() throws IOException {
    Path root = root();
    try (Stream<Path> modules = Stream.of("modules", "bench", "test").map(root::resolve);
        Stream<Path> files = modules.flatMap(Repository::walk)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> root.relativize(file).toString().contains("src/main/java"))
          .toList();
    }
  }

  /** Whether some module has main or test sources in a package. */
  static boolean hasPackage(String name) throws IOException {
    String path = "java/" + name.replace('.', '/');
    Path root = root();
    try (Stream<Path> modules = Stream.of("modules", "test").map(root::resolve);
        Stream<Path> files = modules.flatMap(Repository::walk)) {
      return files.anyMatch(
          file -> file.endsWith(path) || file.toString().endsWith(path + ".java"));
    }
  }

  private static Stream<Path> walk(Path directory) {
    try {
      return Files.walk(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
