package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import dev.wisent.testkit.Eventually;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups of a cluster while a migration is held at some point, and one while a migration runs
 * after the states are fixed. Each cluster that is restored has every document once.
 */
class BackupDuringMigrationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CHUNK = 25;

  /** A chunk is moved for each. */
  private static final List<String> POINTS =
      List.of("moveRange.clone.after", "moveRange.flip.before", "moveRange.flip.after");

  private static final int DOCUMENTS = CHUNK * (POINTS.size() + 2);

  @TempDir Path directory;

  /** A config server, two shards and a router, of which the first three keep their ports. */
  private static final class Cluster implements AutoCloseable {
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final MongoClient config;
    private final MongoClient router;

    Cluster(Path directory, List<Integer> ports) {
      EmbeddedSet configSet = set("config", directory, ClusterRole.CONFIG_SERVER, ports);
      EmbeddedSet first = set("shard0", directory, ClusterRole.SHARD_SERVER, ports);
      EmbeddedSet second = set("shard1", directory, ClusterRole.SHARD_SERVER, ports);
      EmbeddedNode node =
          EmbeddedNode.start(
              ServerOptions.builder(directory.resolve("router"))
                  .port(0)
                  .configDb(configSet.connectionString())
                  .build());
      opened.add(node);
      config = MongoClients.create(configSet.uri());
      opened.add(config);
      router = MongoClients.create("mongodb://" + node.address() + "/");
      opened.add(router);
      if (ports.isEmpty()) {
        admin("{addShard: '%s'}".formatted(first.connectionString()));
        admin("{addShard: '%s'}".formatted(second.connectionString()));
      }
    }

    private EmbeddedSet set(String name, Path directory, ClusterRole role, List<Integer> fixed) {
      int port = fixed.isEmpty() ? 0 : fixed.get(ports.size());
      EmbeddedSet set =
          EmbeddedSet.start(
              name,
              1,
              directory,
              options ->
                  options
                      .clusterRole(role)
                      .port(port)
                      .cacheBytes(16 << 20)
                      .setParameter("enableTestCommands", "1"));
      ports.add(set.members().getFirst().port());
      opened.add(set);
      return set;
    }

    Document admin(String json) {
      return router.getDatabase("admin").runCommand(Document.parse(json));
    }

    MongoCollection<Document> items() {
      return router.getDatabase("test").getCollection("items");
    }

    /** Sets a fail point of the config server; returns how often any has acted so far. */
    long failPoint(String name, String settings) {
      Document command = Document.parse("{configureFailPoint: '%s', %s}".formatted(name, settings));
      return config.getDatabase("admin").runCommand(command).getLong("count");
    }

    @Override
    public void close() throws Exception {
      for (AutoCloseable each : opened.reversed()) {
        each.close();
      }
    }
  }

  private static void fill(Cluster cluster) {
    cluster.admin("{balancerStop: 1}");
    cluster.admin("{enableSharding: 'test', primaryShard: 'shard0'}");
    cluster.admin("{shardCollection: 'test.items', key: {_id: 1}}");
    for (int at = CHUNK; at < DOCUMENTS; at += CHUNK) {
      cluster.admin("{split: 'test.items', middle: {_id: %d}}".formatted(at));
    }
    cluster
        .items()
        .insertMany(IntStream.range(0, DOCUMENTS).mapToObj(i -> new Document("_id", i)).toList());
  }

  private static void move(Cluster cluster, int chunk) {
    cluster.admin(
        "{moveChunk: 'test.items', find: {_id: %d}, to: 'shard1'}".formatted(chunk * CHUNK));
  }

  /** Makes a backup while the migration of a chunk is held. */
  private static void backUpAt(String point, int chunk, Cluster cluster, Backups backups)
      throws Exception {
    long before =
        cluster.failPoint(
            "coordinatorPhase",
            "mode: {times: 1}, data: {point: '%s', action: 'hang'}".formatted(point));
    CompletableFuture<Void> moved =
        CompletableFuture.runAsync(
            () -> move(cluster, chunk), task -> Thread.ofPlatform().start(task));
    try {
      Eventually.holds(
          "the migration is at " + point,
          PATIENCE,
          () -> cluster.failPoint("hangAfterStartingIndexBuild", "mode: 'off'") > before);
      backups.make(uri(cluster));
    } finally {
      cluster.failPoint("coordinatorPhase", "mode: 'off'");
    }
    moved.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static String uri(Cluster cluster) {
    return "mongodb://"
        + cluster.router.getClusterDescription().getServerDescriptions().getFirst().getAddress()
        + "/";
  }

  @Test
  void eachDocumentIsThereOnce() throws Exception {
    var backups = new Backups(directory.resolve("backups"));
    List<Integer> ports;
    try (var cluster = new Cluster(directory.resolve("source"), List.of())) {
      fill(cluster);
      ports = List.copyOf(cluster.ports);
      for (int i = 0; i < POINTS.size(); i++) {
        backUpAt(POINTS.get(i), i + 1, cluster, backups);
      }
      var harness = new ToolHarness();
      harness.onMessage(
          "all members have fixed their states", () -> move(cluster, POINTS.size() + 1));
      backups.run(harness, "-v", "--out=DIR", "--uri=" + uri(cluster));
      assertThat(cluster.items().countDocuments()).isEqualTo(DOCUMENTS);
    }
    List<BackupManifest> all = backups.all();
    assertThat(all).hasSize(POINTS.size() + 1);
    for (BackupManifest backup : all) {
      check(backup, backups, ports);
    }
  }

  private void check(BackupManifest backup, Backups backups, List<Integer> ports) throws Exception {
    Path copy = directory.resolve(backup.id());
    restore(backup, backups, copy);
    try (var cluster = new Cluster(copy, ports)) {
      MongoCollection<Document> items = cluster.items();
      Eventually.holds(
          "all documents of " + backup.id(),
          PATIENCE,
          () ->
              answers(() -> items.countDocuments() == DOCUMENTS && ids(items).equals(expected())));
      // Migrations that were under way end, and others can be made.
      for (int chunk = 1; chunk < DOCUMENTS / CHUNK; chunk++) {
        int number = chunk;
        Eventually.holds(
            "chunk " + chunk + " moves", PATIENCE, () -> answers(() -> moves(cluster, number)));
      }
      assertThat(ids(items)).isEqualTo(expected());
      for (int id : List.of(0, CHUNK, DOCUMENTS - 1)) {
        items.updateOne(Filters.eq(id), new Document("$set", new Document("n", 1)));
        assertThat(items.find(Filters.eq(id)).first()).containsEntry("n", 1);
      }
      Backups.validate(cluster.router, "test");
    }
  }

  private static void restore(BackupManifest backup, Backups backups, Path copy)
      throws ToolException {
    for (String part : List.of("config", "shard0", "shard1")) {
      String target = copy.resolve(part + "-0").toString();
      backups.run("restore", "DIR", "--backup", backup.id(), "--shard", part, "--dbpath=" + target);
    }
  }

  /** A cluster that has just begun refuses some requests for a while. */
  private static boolean answers(BooleanSupplier request) {
    try {
      return request.getAsBoolean();
    } catch (MongoException e) {
      return false;
    }
  }

  private static boolean moves(Cluster cluster, int chunk) {
    move(cluster, chunk);
    return true;
  }

  private static List<Integer> ids(MongoCollection<Document> items) {
    return items.find().sort(new Document("_id", 1)).into(new ArrayList<>()).stream()
        .map(each -> each.getInteger("_id"))
        .toList();
  }

  private static List<Integer> expected() {
    return IntStream.range(0, DOCUMENTS).boxed().toList();
  }
}
