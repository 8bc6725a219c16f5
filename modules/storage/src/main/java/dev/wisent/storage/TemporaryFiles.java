package dev.wisent.storage;

import dev.wisent.base.ScratchFile;
import dev.wisent.base.ScratchSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Files that are useless after the process has ended, in a directory of their own beside the data:
 * on the same file system, so that they can be moved there. What a crash has left is removed at the
 * next start. Thread-safe.
 */
public final class TemporaryFiles implements ScratchSpace {
  static final String DIRECTORY = "_tmp";

  private final DataDirectory data;

  /** Null for the one of the operating system. */
  private final Path directory;

  private final AtomicLong last = new AtomicLong();

  TemporaryFiles(DataDirectory data) {
    this(data, data.root().resolve(DIRECTORY));
  }

  private TemporaryFiles(DataDirectory data, Path directory) {
    this.data = data;
    this.directory = directory;
  }

  /**
   * Room for a process that has no data directory, where the operating system has it for such
   * files. Nothing is left of them however the process ends.
   */
  public static ScratchSpace ofSystem() {
    return TemporaryFile::create;
  }

  /** Those of a data directory in which nothing may be changed: they are elsewhere. */
  static TemporaryFiles outsideOf(DataDirectory data) {
    return new TemporaryFiles(data, null);
  }

  /** Removes what is there. The caller is the owner of the data directory. */
  void clear() throws IOException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public ScratchFile create() {
    return directory == null ? TemporaryFile.create() : TemporaryFile.create(newName("scratch"));
  }

  /** A name that no other file of this run has; the file itself is up to the caller. */
  public Path newName(String purpose) {
    if (directory == null) {
      throw new IllegalStateException("nothing is to be moved into " + data.root());
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw failure("write to", e);
    }
    return directory.resolve(purpose + "-" + last.incrementAndGet());
  }

  /** Removes a file, if it is there. */
  public void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Only space is lost, until the next start.
    }
  }

  /** What a failure of such a file means to the caller. */
  public StorageException failure(String action, IOException e) {
    return data.failure(action, e);
  }
}
