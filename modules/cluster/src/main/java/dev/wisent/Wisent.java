package dev.wisent;

import dev.wisent.cluster.embedded.DataReset;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedServers;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.replication.raft.InProcessPeers;
import dev.wisent.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Consumer;
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
  private final EmbeddedServers servers;
  private final String uri;
  private final Path temporary;
  private DataReset reset; // guarded by this; null before it is needed

  private Wisent(EmbeddedServers servers, String uri, Path temporary) {
    this.servers = servers;
    this.uri = uri;
    this.temporary = temporary;
  }

  /** Starts on any free port of the loopback address; the data is deleted at the end. */
  public static Wisent start() {
    return start(options -> {});
  }

  /**
   * As {@link #start()}.
   *
   * @param options changes the options of the server
   */
  public static Wisent start(Consumer<ServerOptions.Builder> options) {
    return inTemporary(
        directory -> {
          ServerOptions.Builder builder = ServerOptions.builder(directory).port(0);
          options.accept(builder);
          return start(builder.build(), directory);
        });
  }

  /** Starts as the options say; the data stays. */
  public static Wisent start(ServerOptions options) {
    return start(options, null);
  }

  private static Wisent start(ServerOptions options, Path temporary) {
    EmbeddedNode node = EmbeddedNode.start(options);
    String uri = "mongodb://" + node.address() + "/?directConnection=true";
    return new Wisent(node, options.tls().isRequired() ? uri + "&tls=true" : uri, temporary);
  }

  /**
   * Starts a replica set on free ports of the loopback address. It has a primary; the data is
   * deleted at the end.
   */
  public static Wisent replicaSet(int members) {
    return replicaSet(members, options -> {});
  }

  /**
   * As {@link #replicaSet(int)}.
   *
   * @param options changes the options of every member
   */
  public static Wisent replicaSet(int members, Consumer<ServerOptions.Builder> options) {
    return inTemporary(
        directory -> {
          EmbeddedSet set =
              EmbeddedSet.start("rs0", members, directory, inProcess(directory, options));
          return new Wisent(set, set.uri(), directory);
        });
  }

  /**
   * Starts a sharded cluster on free ports of the loopback address: a config server, shards of one
   * member each, and a router. The data is deleted at the end.
   */
  public static Wisent cluster(int shards) {
    return cluster(shards, options -> {});
  }

  /**
   * As {@link #cluster(int)}.
   *
   * @param options changes the options of every server
   */
  public static Wisent cluster(int shards, Consumer<ServerOptions.Builder> options) {
    return inTemporary(
        directory -> {
          EmbeddedCluster cluster =
              EmbeddedCluster.start(shards, directory, inProcess(directory, options));
          return new Wisent(cluster, cluster.uri(), directory);
        });
  }

  /** All members are in this process, and need no network to replicate. */
  private static Consumer<ServerOptions.Builder> inProcess(
      Path directory, Consumer<ServerOptions.Builder> options) {
    var peers = new InProcessPeers(directory.toString());
    return builder -> {
      builder.logInProcess(peers);
      options.accept(builder);
    };
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
    return servers.entries().getFirst().port();
  }

  /** A connection string for drivers. */
  public String uri() {
    return uri;
  }

  /** A connection string with the database that programs use if they name none. */
  public String uri(String database) {
    int hostsEnd = uri.indexOf('/', "mongodb://".length()) + 1;
    return uri.substring(0, hostsEnd) + database + uri.substring(hostsEnd);
  }

  /**
   * Takes away what clients have left, so that the next test finds an empty server: transactions
   * and cursors are ended; databases, users, roles, zones and settings of the balancer are dropped;
   * profiling and fail points are as at the start. Server parameters that clients have set stay.
   */
  public void reset() {
    required().run();
  }

  private synchronized DataReset required() {
    if (reset == null) {
      reset = new DataReset(servers);
    }
    return reset;
  }

  private synchronized void closeReset() {
    if (reset != null) {
      reset.close();
      reset = null;
    }
  }

  @Override
  public void close() {
    try {
      closeReset();
      servers.close();
    } finally {
      if (temporary != null && Files.exists(temporary)) {
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
