package dev.wisent.testkit.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that the tests run in. */
public final class Checkout {
  private Checkout() {}

  /** The nearest directory upwards that has the launcher and a pom.xml. */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null) {
      if (Files.exists(directory.resolve("wisent")) && Files.exists(directory.resolve("pom.xml"))) {
        return directory;
      }
      directory = directory.getParent();
    }
    throw new IllegalStateException("not run inside the repository");
  }

  /** A file by its path in the repository. */
  public static Path file(String path) {
    return root().resolve(path);
  }

  /** The Markdown files of the repository: those at its root, and all below {@code docs}. */
  public static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> files = Files.list(root())) {
      files.filter(Checkout::isDocument).sorted().forEach(documents::add);
    }
    try (Stream<Path> files = Files.walk(file("docs"))) {
      files.filter(Checkout::isDocument).sorted().forEach(documents::add);
    }
    return documents;
  }

  private static boolean isDocument(Path file) {
    return file.toString().endsWith(".md");
  }
}
