package dev.wisent.testkit;

import java.nio.file.Path;

/** The server that a test run works against. */
public final class TestServers {

  /**
   * System property with the URI of a server that is already running. The tests then use it instead
   * of starting one, which is how the same tests run against another implementation.
   */
  public static final String URI_PROPERTY = "wisent.testUri";

  private TestServers() {}

  /**
   * Starts a server with test commands enabled, with its data and log below {@code directory}, or
   * hands out the one named by {@link #URI_PROPERTY}.
   */
  public static TestServer start(Path directory) {
    String external = System.getProperty(URI_PROPERTY);
    if (external != null && !external.isBlank()) {
      return new ExternalServer(external);
    }
    return ServerProcess.start(
        ServerOptions.in(directory).withArguments("--setParameter", "enableTestCommands=1"));
  }

  private record ExternalServer(String uri) implements TestServer {
    @Override
    public void close() {
      // Not ours to stop.
    }
  }
}
