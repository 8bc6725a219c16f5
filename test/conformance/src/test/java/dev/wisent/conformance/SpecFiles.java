package dev.wisent.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** The folder with the drivers' specification cases, which is not part of the repository. */
record SpecFiles(Path root) {

  static final String PROPERTY = "wisent.specTests";
  private static final String BESIDE_REPOSITORY = "shared/spec-tests";

  /**
   * The folder named by the system property, or {@code ../shared/spec-tests} as seen from the
   * repository's root, which is looked for upwards from the working directory.
   */
  static Optional<SpecFiles> locate() {
    String configured = System.getProperty(PROPERTY);
    if (configured != null) {
      return Optional.of(Path.of(configured)).filter(Files::isDirectory).map(SpecFiles::new);
    }
    return Stream.iterate(Path.of("").toAbsolutePath(), path -> path != null, Path::getParent)
        .map(directory -> directory.resolve(BESIDE_REPOSITORY))
        .filter(Files::isDirectory)
        .findFirst()
        .map(SpecFiles::new);
  }

  /** The files of one folder in alphabetical order. */
  List<SpecFile> folder(String name) {
    try (Stream<Path> files = Files.list(root.resolve(name))) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(file -> new SpecFile(name + "/" + file.getFileName(), parse(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + root.resolve(name), e);
    }
  }

  private static BsonDocument parse(Path file) {
    try {
      return BsonDocument.parse(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** One file: its path below the root, such as {@code crud/find.json}, and its content. */
  record SpecFile(String path, BsonDocument content) {

    String folder() {
      return path.substring(0, path.indexOf('/'));
    }

    List<BsonDocument> cases() {
      return content.getArray("tests").stream().map(test -> test.asDocument()).toList();
    }
  }
}
