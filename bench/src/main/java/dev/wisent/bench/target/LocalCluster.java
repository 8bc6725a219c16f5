package dev.wisent.bench.target;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.bench.process.ChildProcess;
import dev.wisent.bench.process.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;

/**
 * A sharded cluster on this machine: a config server, shards of one member, and a router, each a
 * process. Used by one thread.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
  private static final String SERVER = "server";

  private final List<String> command;
  private final Path directory;
  private final LocalReplicaSet config;
  private final List<LocalReplicaSet> shards = new ArrayList<>();
  private InetSocketAddress address;
  private ServerProcess router;

  /**
   * @param command words of the command that runs a server; its last word is {@code server}
   */
  LocalCluster(List<String> command, int shardCount, Path directory) {
    this(command, shardCount, List.of(), directory);
  }

  /**
   * @param shardFlags of every shard, beside those that each one needs
   */
  public LocalCluster(
      List<String> command, int shardCount, List<String> shardFlags, Path directory) {
    List<String> flags = new ArrayList<>(shardFlags);
    flags.add("--shardsvr");
    this.command = List.copyOf(command);
    this.directory = directory;
    config =
        new LocalReplicaSet(
            "config", command, List.of("--configsvr"), 1, directory.resolve("config"));
    for (int i = 0; i < shardCount; i++) {
      String name = "shard" + i;
      shards.add(new LocalReplicaSet(name, command, flags, 1, directory.resolve(name)));
    }
  }

  /** Returns when the router serves all shards. */
  public void start() throws Exception {
    List<String> words = routerWords();
    config.start();
    for (LocalReplicaSet shard : shards) {
      shard.start();
    }
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), LoopbackPort.free());
    words.addAll(List.of("--configdb", config.connectionString(), "--bind_ip", "127.0.0.1"));
    words.addAll(List.of("--port", Integer.toString(address.getPort())));
    Path routerDirectory = Files.createDirectories(directory.resolve("router"));
    router = ServerProcess.start(words, routerDirectory, ChildProcess.StopSignal.TERM);
    router.awaitAnswer(
        START_TIMEOUT,
        () -> {
          try (WireConnection connection = WireConnection.open(address)) {
            connection.hello();
            return true;
          }
        });
    try (MongoClient client = MongoClients.create(uri())) {
      for (LocalReplicaSet shard : shards) {
        client.getDatabase("admin").runCommand(new Document("addShard", shard.connectionString()));
      }
    }
  }

  private List<String> routerWords() throws IOException {
    if (!command.getLast().equals(SERVER)) {
      throw new IOException("no router: the command of a server does not end in " + SERVER);
    }
    List<String> words = new ArrayList<>(command);
    words.set(words.size() - 1, "router");
    return words;
  }

  public String uri() {
    return "mongodb://127.0.0.1:" + address.getPort() + "/";
  }

  InetSocketAddress routerAddress() {
    return address;
  }

  int shardCount() {
    return shards.size();
  }

  Path directory() {
    return directory;
  }

  long routerPid() {
    return router.pid();
  }

  List<Long> shardPids() {
    return shards.stream().flatMap(shard -> shard.pids().stream()).toList();
  }

  List<Long> allPids() {
    List<Long> all = new ArrayList<>(shardPids());
    all.addAll(config.pids());
    all.add(routerPid());
    return all;
  }

  Optional<String> death() {
    return router
        .death()
        .or(config::death)
        .or(() -> shards.stream().flatMap(shard -> shard.death().stream()).findFirst());
  }

  @Override
  public void close() {
    if (router != null) {
      router.close();
    }
    shards.forEach(LocalReplicaSet::close);
    config.close();
  }
}
