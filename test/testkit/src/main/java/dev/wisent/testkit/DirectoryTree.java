package dev.wisent.testkit;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole directories: copying them, deleting them and putting them in place. */
public final class DirectoryTree {

  private DirectoryTree() {}

  public static void delete(Path root) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(root)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }

  /** Copies a directory with everything in it to one that is not there, or is empty. */
  public static void copy(Path source, Path target) throws IOException {
    List<Path> outermostFirst;
    try (Stream<Path> paths = Files.walk(source)) {
      outermostFirst = paths.toList();
    }
    for (Path path : outermostFirst) {
      Path copy = target.resolve(source.relativize(path).toString());
      if (Files.isDirectory(path)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(path, copy);
      }
    }
  }

  /** Renames {@code source} to {@code target}; where that exists already, drops the source. */
  static void moveUnlessPresent(Path source, Path target) throws IOException {
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Which exception says that the target is there depends on the file system.
      if (!Files.isDirectory(target)) {
        throw e;
      }
      delete(source);
    }
  }
}
