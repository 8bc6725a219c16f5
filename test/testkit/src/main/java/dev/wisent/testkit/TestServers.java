package dev.wisent.testkit;

import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;

/** The server that a test run works against. */
public final class TestServers {

  /**
   * System property with the URI of a server that is already running. The tests then use it instead
   * of starting one, which is how the same tests run against another implementation.
   */
  public static final String URI_PROPERTY = "wisent.testUri";

  private static final int SHARDS = 3;

  private TestServers() {}

  /**
   * Starts a server in this JVM, with test commands enabled and its data in {@code directory}, or
   * hands out the one named by {@link #URI_PROPERTY}. {@link Topology} says what it is.
   */
  public static TestServer start(Path directory) {
    String external = System.getProperty(URI_PROPERTY);
    if (external != null && !external.isBlank()) {
      return new ExternalServer(external);
    }
    return switch (Topology.ofRun()) {
      case SERVER -> server(directory);
      case CLUSTER -> TestCluster.start(SHARDS, directory);
      case SHARDED -> ShardingProxy.before(TestCluster.start(SHARDS, directory));
    };
  }

  private static TestServer server(Path directory) {
    return new EmbeddedServer(
        Wisent.start(
            ServerOptions.builder(directory)
                .port(0)
                .setParameter("enableTestCommands", "1")
                .build()));
  }

  private record EmbeddedServer(Wisent wisent) implements TestServer {
    @Override
    public String uri() {
      return wisent.uri();
    }

    @Override
    public void close() {
      wisent.close();
    }
  }

  private record ExternalServer(String uri) implements TestServer {
    @Override
    public void close() {
      // Not ours to stop.
    }
  }
}
