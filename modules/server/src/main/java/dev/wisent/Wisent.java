package dev.wisent;

import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A server inside this JVM, for tests and small programs:
 *
 * <pre>{@code
 * try (var wisent = Wisent.start()) {
 *   var client = MongoClients.create(wisent.uri());
 * }
 * }</pre>
 */
public final class Wisent implements AutoCloseable {
  private final WisentServer server;
  private final Path temporary;

  private Wisent(WisentServer server, Path temporary) {
    this.server = server;
    this.temporary = temporary;
  }

  /** Starts on any free port of the loopback address; the data is deleted at the end. */
  public static Wisent start() {
    try {
      Path directory = Files.createTempDirectory("wisent");
      return start(ServerOptions.builder(directory).port(0).build(), directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts as the options say; the data stays. */
  public static Wisent start(ServerOptions options) {
    return start(options, null);
  }

  private static Wisent start(ServerOptions options, Path temporary) {
    try {
      return new Wisent(WisentServer.start(options, ServerLog.silent()), temporary);
    } catch (ListenException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return server.port();
  }

  /** A connection string for drivers. */
  public String uri() {
    return "mongodb://127.0.0.1:" + port() + "/?directConnection=true";
  }

  @Override
  public void close() {
    server.close();
    if (temporary != null) {
      delete(temporary);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
