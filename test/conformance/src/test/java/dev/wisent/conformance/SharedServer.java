package dev.wisent.conformance;

import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.TestServer;
import dev.wisent.testkit.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests of a run that keep to databases of their own. It starts with the first
 * test that asks for it, and JUnit's store closes it after the last.
 */
public record SharedServer(TestServer server, Path directory) implements AutoCloseable {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedServer.class);

  /** The connection string of the run's server. */
  public static String uri(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(SharedServer.class, key -> start(), SharedServer.class)
        .server()
        .uri();
  }

  private static SharedServer start() {
    try {
      Path directory = Files.createTempDirectory("wisent-conformance-");
      return new SharedServer(TestServers.start(directory), directory);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for a server", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    DirectoryTree.delete(directory);
  }
}
