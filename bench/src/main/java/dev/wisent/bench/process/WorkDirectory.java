package dev.wisent.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;

/** The directory for the servers' data. It is deleted at the end, also when we are interrupted. */
public final class WorkDirectory implements AutoCloseable {
  private static final Duration CHILDREN_TIMEOUT = Duration.ofSeconds(25);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private final Path path;
  private final Thread shutdownHook =
      new Thread(this::deleteAfterChildren, "delete-work-directory");

  private WorkDirectory(Path path) {
    this.path = path;
  }

  /** Makes a new directory in the given one, or where temporary files go. */
  public static WorkDirectory create(Optional<Path> parent) throws IOException {
    String prefix = "wisent-bench";
    Path path =
        parent.isPresent()
            ? Files.createTempDirectory(Files.createDirectories(parent.get()), prefix)
            : Files.createTempDirectory(prefix);
    // Servers may run as another user, who must be able to pass.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    WorkDirectory directory = new WorkDirectory(path.toAbsolutePath());
    Runtime.getRuntime().addShutdownHook(directory.shutdownHook);
    return directory;
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    DirectorySize.delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook finds nothing left to delete.
    }
  }

  /** Runs beside the hooks that stop the servers, so it waits for those to be done. */
  private void deleteAfterChildren() {
    long deadline = System.nanoTime() + CHILDREN_TIMEOUT.toNanos();
    try {
      while (System.nanoTime() < deadline
          && ProcessHandle.current().descendants().anyMatch(ProcessHandle::isAlive)) {
        Thread.sleep(POLL_INTERVAL);
      }
      DirectorySize.delete(path);
    } catch (IOException e) {
      System.err.println("could not delete " + path + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
