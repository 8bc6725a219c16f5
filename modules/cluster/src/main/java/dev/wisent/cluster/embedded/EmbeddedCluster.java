package dev.wisent.cluster.embedded;

import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A sharded cluster inside this JVM: a config server, shards of one member each, and a router. */
public final class EmbeddedCluster implements EmbeddedServers {
  private final List<EmbeddedSet> shards = new ArrayList<>();
  private EmbeddedSet config;
  private EmbeddedNode router;
  private boolean encrypted;

  private EmbeddedCluster() {}

  /**
   * Starts the servers and adds the shards, which are named shard0, shard1 and so on.
   *
   * @param directory has a directory for each server
   * @param options changes the options of every server
   */
  public static EmbeddedCluster start(
      int shards, Path directory, Consumer<ServerOptions.Builder> options) {
    if (shards < 1) {
      throw new IllegalArgumentException("a cluster has at least one shard, not " + shards);
    }
    var cluster = new EmbeddedCluster();
    try {
      cluster.startSets(shards, directory, options);
      ServerOptions router = cluster.routerOptions(directory.resolve("router"), options);
      cluster.encrypted = router.tls().isRequired();
      cluster.router = EmbeddedNode.start(router);
      cluster.addShards(router);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void startSets(int count, Path directory, Consumer<ServerOptions.Builder> options) {
    var started = new EmbeddedSet[count];
    var starts = new ArrayList<Runnable>();
    starts.add(() -> config = set("config", directory, ClusterRole.CONFIG_SERVER, options));
    for (int i = 0; i < count; i++) {
      int number = i;
      starts.add(
          () ->
              started[number] =
                  set("shard" + number, directory, ClusterRole.SHARD_SERVER, options));
    }
    try {
      Together.run(starts);
    } finally {
      Stream.of(started).filter(Objects::nonNull).forEach(shards::add);
    }
  }

  private static EmbeddedSet set(
      String name, Path directory, ClusterRole role, Consumer<ServerOptions.Builder> options) {
    return EmbeddedSet.start(
        name, 1, directory, builder -> options.accept(builder.clusterRole(role)));
  }

  /** Starts one more router, which the caller closes. */
  public EmbeddedNode newRouter(Path directory, Consumer<ServerOptions.Builder> options) {
    return EmbeddedNode.start(routerOptions(directory, options));
  }

  private ServerOptions routerOptions(Path directory, Consumer<ServerOptions.Builder> options) {
    ServerOptions.Builder builder =
        ServerOptions.builder(directory).port(0).configDb(config.connectionString());
    options.accept(builder);
    return builder.build();
  }

  private void addShards(ServerOptions servers) {
    try (var admin = new AdminCalls(servers)) {
      for (EmbeddedSet shard : shards) {
        admin.run(
            router.address(),
            command -> command.appendString("addShard", shard.connectionString()));
      }
    }
  }

  public EmbeddedSet config() {
    return config;
  }

  public List<EmbeddedSet> shards() {
    return List.copyOf(shards);
  }

  public EmbeddedNode router() {
    return router;
  }

  @Override
  public List<EmbeddedNode> nodes() {
    return Stream.of(
            Stream.of(router),
            config.nodes().stream(),
            shards.stream().flatMap(shard -> shard.nodes().stream()))
        .flatMap(nodes -> nodes)
        .toList();
  }

  @Override
  public List<EmbeddedNode> entries() {
    return List.of(router);
  }

  /** For drivers. */
  public String uri() {
    return "mongodb://" + router.address() + (encrypted ? "/?tls=true" : "/");
  }

  @Override
  public void close() {
    if (router != null) {
      router.close();
    }
    Together.run(
        Stream.concat(shards.stream(), Stream.ofNullable(config))
            .<Runnable>map(set -> set::close)
            .toList());
  }
}
