package dev.wisent.cluster.admin;

import com.mongodb.ConnectionString;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.replication.raft.InProcessPeers;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Shards and a router for all tests of a class, with test commands. The balancer is stopped. */
final class AdminCluster implements BeforeAllCallback, AfterAllCallback {
  private final int count;
  private Path directory;
  private EmbeddedCluster cluster;
  private MongoClient router;
  private MongoClient config;
  private List<MongoClient> shards;

  /** Two shards. */
  AdminCluster() {
    this(2);
  }

  AdminCluster(int count) {
    this.count = count;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("wisent-admin");
    var members = new InProcessPeers(directory.toString());
    cluster =
        EmbeddedCluster.start(
            count,
            directory,
            options ->
                options
                    .logInProcess(members)
                    .cacheBytes(32 << 20)
                    .setParameter("enableTestCommands", "1"));
    router = MongoClients.create(cluster.uri());
    config = MongoClients.create(cluster.config().uri());
    shards = cluster.shards().stream().map(shard -> MongoClients.create(shard.uri())).toList();
    // Tests move chunks by hand, out of their zones too.
    admin("{balancerStop: 1}");
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    router.close();
    config.close();
    shards.forEach(MongoClient::close);
    cluster.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  Path directory() {
    return directory;
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  MongoDatabase database(String name) {
    return router.getDatabase(name);
  }

  MongoCollection<Document> collection(String namespace) {
    int dot = namespace.indexOf('.');
    return database(namespace.substring(0, dot)).getCollection(namespace.substring(dot + 1));
  }

  /** Behind the router's back. */
  MongoDatabase onShard(int number, String database) {
    return shards.get(number).getDatabase(database);
  }

  BsonDocument admin(String json) {
    return run("admin", json);
  }

  BsonDocument run(String database, String json) {
    return router.getDatabase(database).runCommand(BsonDocument.parse(json), BsonDocument.class);
  }

  /** The error reply of a command that must fail. */
  BsonDocument fail(String database, String json) {
    try {
      throw new AssertionError("should have failed: " + json + " but gave " + run(database, json));
    } catch (MongoCommandException e) {
      return e.getResponse();
    }
  }

  MongoCollection<BsonDocument> metadata(String name) {
    return config.getDatabase("config").getCollection(name, BsonDocument.class);
  }

  String primaryOf(String database) {
    return metadata("databases").find(Filters.eq(database)).first().getString("primary").getValue();
  }

  /** Creates a database on a shard. */
  void create(String database, int shard) {
    admin("{enableSharding: '%s', primaryShard: 'shard%d'}".formatted(database, shard));
  }

  /** Shards a collection by {@code k}, which is below 0 on shard0 and the rest on shard1. */
  void shardByK(String namespace) {
    for (int i = 0; i < 2; i++) {
      admin("{addShardToZone: 'shard%d', zone: 'zone%d'}".formatted(i, i));
    }
    String range = "{updateZoneKeyRange: '%s', min: {k: %s}, max: {k: %s}, zone: '%s'}";
    admin(range.formatted(namespace, "{$minKey: 1}", "0", "zone0"));
    admin(range.formatted(namespace, "0", "{$maxKey: 1}", "zone1"));
    admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
  }

  /** Documents whose {@code k} is on both sides of 0. */
  static List<Document> documents(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Document("_id", i).append("k", i - count / 2))
        .toList();
  }

  /** Holds coordinators at a point until the result is run. */
  Runnable hold(String point) {
    failPoint("{times: 1}", point, "hang");
    return () ->
        config
            .getDatabase("admin")
            .runCommand(Document.parse("{configureFailPoint: 'coordinatorPhase', mode: 'off'}"));
  }

  private void failPoint(String mode, String point, String action) {
    config
        .getDatabase("admin")
        .runCommand(
            Document.parse(
                ("{configureFailPoint: 'coordinatorPhase', mode: %s,"
                        + " data: {point: '%s', action: '%s'}}")
                    .formatted(mode, point, action)));
  }

  /** Holds every coordinator that reaches a point, until the result is run. */
  Runnable holdAll(String point) {
    failPoint("'alwaysOn'", point, "hang");
    return () -> config("{configureFailPoint: 'coordinatorPhase', mode: 'off'}");
  }

  /** Ends the next coordinator that reaches a point, as a kill would. */
  void crashAt(String point) {
    failPoint("{times: 1}", point, "crash");
  }

  /** On the config server itself. */
  Document config(String json) {
    return config.getDatabase("admin").runCommand(Document.parse(json));
  }

  /** The only config server steps down, and is elected again. */
  void electConfigAgain() {
    try {
      config("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}");
    } catch (MongoException e) {
      // The connection may go.
    }
  }

  /** The only member of a shard steps down, and is elected again. */
  void electShardAgain(int number) {
    MongoDatabase admin = onShard(number, "admin");
    try {
      admin.runCommand(
          Document.parse("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}"));
    } catch (MongoException e) {
      // The connection may go.
    }
    await(
        "a primary of shard" + number,
        () -> {
          try {
            return admin.runCommand(new Document("hello", 1)).getBoolean("isWritablePrimary");
          } catch (MongoException e) {
            return false;
          }
        });
  }

  /** Runs a command of the router to which no driver adds anything. */
  Document raw(String database, Document command) {
    BackgroundLoops loops = BackgroundLoops.silent();
    JsonWriterSettings exact = JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    RawDocument sent = RawDocument.parse(command.toJson(exact));
    String host = new ConnectionString(cluster.uri()).getHosts().getFirst();
    try (var client = new PooledNodeClient(NodeClientOptions.plain("test"), loops.clock(), loops)) {
      var request = NodeRequest.of(database, sent, Duration.ofMinutes(1));
      return Document.parse(client.call(HostAndPort.parse(host), request).join().toJson());
    }
  }

  /** Waits until a coordinator is about to run a phase, or is in it. */
  void awaitPhase(String type, String phase) {
    await(
        type + " at " + phase,
        () -> {
          BsonDocument run = metadata("system.sharding_ddl_coordinators").find().first();
          return run != null
              && run.getDocument("_id").getString("operationType").getValue().equals(type)
              && run.getString("phase").getValue().equals(phase);
        });
  }

  void await(String what, BooleanSupplier condition) {
    await(what, 60, condition);
  }

  void await(String what, int seconds, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited for " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
