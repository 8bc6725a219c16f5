package dev.wisent.conformance.fault;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A file system of a few megabytes, with a file in it that takes most of the space. */
final class SmallDisk implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 20;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts one on a new directory; where that is not allowed, the test is skipped. */
  static SmallDisk mount(Path directory, int megabytes) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
    assumeTrue(mounted, "needs the right to mount a small file system");
    return new SmallDisk(directory);
  }

  /** Leaves only this much space. */
  void leave(int megabytes) {
    try {
      long usable = Files.getFileStore(directory).getUsableSpace();
      long bytes = usable - ((long) megabytes << 20);
      if (bytes > 0) {
        Files.write(ballast(), new byte[(int) bytes]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes all the space that is left. */
  void fill() {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(directory.resolve("rest"))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      // As it should be.
    }
  }

  /** Makes room. */
  void free() {
    try {
      Files.deleteIfExists(ballast());
      Files.deleteIfExists(directory.resolve("rest"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  @Override
  public void close() {
    if (!run("umount", directory.toString())) {
      run("umount", "-l", directory.toString());
    }
  }

  private static boolean run(String... words) {
    try {
      Process process = new ProcessBuilder(List.of(words)).inheritIO().start();
      return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
