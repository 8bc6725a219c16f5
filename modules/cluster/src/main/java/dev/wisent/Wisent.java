package dev.wisent;

import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A server inside this JVM, a replica set or a sharded cluster, for tests and small programs:
 *
 * <pre>{@code
 * try (var wisent = Wisent.start()) {
 *   var client = MongoClients.create(wisent.uri());
 * }
 * }</pre>
 */
public final class Wisent implements AutoCloseable {
  private final AutoCloseable running;
  private final int port;
  private final String uri;
  private final Path temporary;

  private Wisent(AutoCloseable running, int port, String uri, Path temporary) {
    this.running = running;
    this.port = port;
    this.uri = uri;
    this.temporary = temporary;
  }

  /** Starts on any free port of the loopback address; the data is deleted at the end. */
  public static Wisent start() {
    return inTemporary(
        directory -> start(ServerOptions.builder(directory).port(0).build(), directory));
  }

  /** Starts as the options say; the data stays. */
  public static Wisent start(ServerOptions options) {
    return start(options, null);
  }

  private static Wisent start(ServerOptions options, Path temporary) {
    EmbeddedNode node = EmbeddedNode.start(options);
    String uri = "mongodb://" + node.address() + "/?directConnection=true";
    return new Wisent(
        node, node.port(), options.tls().isRequired() ? uri + "&tls=true" : uri, temporary);
  }

  /**
   * Starts a replica set on free ports of the loopback address. It has a primary; the data is
   * deleted at the end.
   */
  public static Wisent replicaSet(int members) {
    return inTemporary(
        directory -> {
          EmbeddedSet set = EmbeddedSet.start("rs0", members, directory, options -> {});
          return new Wisent(set, set.members().getFirst().port(), set.uri(), directory);
        });
  }

  /**
   * Starts a sharded cluster on free ports of the loopback address: a config server, shards of one
   * member each, and a router. The data is deleted at the end.
   */
  public static Wisent cluster(int shards) {
    return inTemporary(
        directory -> {
          EmbeddedCluster cluster = EmbeddedCluster.start(shards, directory, options -> {});
          return new Wisent(cluster, cluster.router().port(), cluster.uri(), directory);
        });
  }

  private static Wisent inTemporary(Function<Path, Wisent> start) {
    Path directory;
    try {
      directory = Files.createTempDirectory("wisent");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      return start.apply(directory);
    } catch (RuntimeException | Error e) {
      delete(directory);
      throw e;
    }
  }

  /** Of the server; of a replica set's first member; of a cluster's router. */
  public int port() {
    return port;
  }

  /** A connection string for drivers. */
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    try {
      running.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (temporary != null) {
        delete(temporary);
      }
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
