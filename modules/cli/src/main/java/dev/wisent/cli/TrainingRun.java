package dev.wisent.cli;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A short life of a server, and of a cluster, from start to stop with some requests in between. The
 * launcher runs it once after a build, with the JVM recording which classes are used and which
 * methods are hot; later starts load that record instead of finding out again.
 */
final class TrainingRun {
  private static final int ROUNDS = 300;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String DATABASE = "training";
  private static final String COLLECTION = "documents";

  private volatile Exception failure;

  /** Serves new directories below {@code directory} for a moment. */
  void run(Path directory) throws StartException {
    String standalone = directory.resolve("standalone").toString();
    List<String> flags = List.of("--dbpath", standalone, "--port", "0");
    new ServerRun(ServerCommand.parse(Program.SERVER, flags), System.out, false)
        .run(server -> Thread.ofPlatform().name("client").start(() -> visit(server)));
    if (failure == null) {
      visitCluster(directory.resolve("cluster"));
    }
    if (failure != null) {
      throw new StartException(ExitCode.ABRUPT, "the training failed: " + failure, failure);
    }
  }

  private void visit(RunningServer server) {
    try {
      visit(server.port());
    } finally {
      server.requestStop();
    }
  }

  /** Members of replica sets, and a router. */
  private void visitCluster(Path directory) {
    try (var cluster = EmbeddedCluster.start(1, directory, options -> {})) {
      visit(cluster.router().port());
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void visit(int port) {
    var host = new HostAndPort("localhost", port);
    BackgroundLoops loops = BackgroundLoops.silent();
    try (var client =
        new PooledNodeClient(NodeClientOptions.plain("training"), loops.clock(), loops)) {
      talk(command -> call(client, host, command));
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private static void talk(Consumer<Consumer<BsonBuilder>> client) {
    client.accept(body -> body.appendInt32("hello", 1));
    client.accept(body -> body.appendInt32("ping", 1));
    for (int i = 0; i < ROUNDS; i++) {
      int id = i;
      client.accept(body -> insert(body, id));
      client.accept(body -> find(body, id));
      client.accept(body -> update(body, id));
    }
    client.accept(body -> body.appendInt32("dropDatabase", 1));
  }

  private static void insert(BsonBuilder body, int id) {
    body.appendString("insert", COLLECTION).startArray("documents").startDocument(0);
    body.appendInt32("_id", id).appendString("name", "name " + id).appendInt32("count", 0);
    body.end().end();
  }

  private static void find(BsonBuilder body, int id) {
    body.appendString("find", COLLECTION).startDocument("filter").appendInt32("_id", id).end();
  }

  private static void update(BsonBuilder body, int id) {
    body.appendString("update", COLLECTION).startArray("updates").startDocument(0);
    body.startDocument("q").appendInt32("_id", id).end();
    body.startDocument("u").startDocument("$inc").appendInt32("count", 1).end().end();
    body.end().end();
  }

  /** Sends a command and insists on {@code ok: 1}: what fails is not worth recording. */
  private static void call(NodeClient client, HostAndPort host, Consumer<BsonBuilder> command) {
    var body = new BsonBuilder();
    command.accept(body);
    client.run(host, NodeRequest.of(DATABASE, body.toDocument(), TIMEOUT));
  }
}
