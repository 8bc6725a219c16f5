package dev.wisent.architecture;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sources of the checkout that the tests run in. */
final class Repository {
  private Repository() {}

  /** All Java files, those of tests included. */
  static List<Path> allSources() throws IOException {
    return sources("src/");
  }

  /** The Java files of the product and of what is around it, without tests. */
  static List<Path> mainSources() throws IOException {
    return sources("src/main/java");
  }

  /** The directories of the product's modules. */
  static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.list(Checkout.root().resolve("modules"))) {
      return files.filter(module -> Files.exists(module.resolve("pom.xml"))).sorted().toList();
    }
  }

  /** The Java files of one module, without tests. */
  static List<Path> mainSourcesOf(Path module) throws IOException {
    return sourcesBelow(module.resolve("src/main/java"));
  }

  /** Whether some module has a class or a package of that name, among its main or test sources. */
  static boolean hasName(String name) throws IOException {
    String path = "/" + name.replace('.', '/');
    return sources("src/").stream()
        .map(Path::toString)
        .anyMatch(
            file -> file.endsWith(path + ".java") || file.endsWith(path + "/package-info.java"));
  }

  private static List<Path> sources(String below) throws IOException {
    Path root = Checkout.root();
    List<Path> result = new ArrayList<>();
    for (String tree : List.of("modules", "bench", "examples", "test")) {
      for (Path source : sourcesBelow(root.resolve(tree))) {
        if (root.relativize(source).toString().contains(below)) {
          result.add(source);
        }
      }
    }
    return result;
  }

  private static List<Path> sourcesBelow(Path directory) throws IOException {
    List<Path> result = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return path.endsWith("target")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              result.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return result;
  }
}
