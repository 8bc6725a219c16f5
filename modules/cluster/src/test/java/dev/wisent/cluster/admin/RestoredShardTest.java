package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shard that comes back with data that is older than what the config servers know. */
class RestoredShardTest {
  @TempDir Path directory;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private EmbeddedSet first;
  private EmbeddedSet second;
  private MongoClient router;

  private static EmbeddedSet set(String name, Path directory, ClusterRole role, int port) {
    return EmbeddedSet.start(
        name,
        1,
        directory,
        options ->
            options
                .clusterRole(role)
                .port(port)
                .cacheBytes(16 << 20)
                .setParameter("enableTestCommands", "1"));
  }

  @BeforeEach
  void start() {
    EmbeddedSet config = set("config", directory, ClusterRole.CONFIG_SERVER, 0);
    opened.add(config);
    first = set("shard0", directory, ClusterRole.SHARD_SERVER, 0);
    second = set("shard1", directory, ClusterRole.SHARD_SERVER, 0);
    opened.add(second);
    ServerOptions.Builder options =
        ServerOptions.builder(directory.resolve("router"))
            .port(0)
            .configDb(config.connectionString());
    EmbeddedNode node = EmbeddedNode.start(options.build());
    opened.add(node);
    router = MongoClients.create("mongodb://" + node.address() + "/");
    opened.add(router);
    admin("{addShard: '%s'}".formatted(first.connectionString()));
    admin("{addShard: '%s'}".formatted(second.connectionString()));
  }

  @AfterEach
  void stop() throws Exception {
    first.close();
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private Document admin(String command) {
    return router.getDatabase("admin").runCommand(Document.parse(command));
  }

  private MongoCollection<Document> collection() {
    return router.getDatabase("db").getCollection("c");
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private int stopFirst() {
    int port = first.members().getFirst().port();
    first.close();
    return port;
  }

  private void startFirst(int port) {
    first = set("shard0", directory, ClusterRole.SHARD_SERVER, port);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private long onFirst() {
    try (MongoClient direct = MongoClients.create(first.uri())) {
      return direct.getDatabase("db").getCollection("c").countDocuments();
    }
  }

  /** Below 0 on the second shard, the rest on the first. */
  private void fill() {
    admin("{enableSharding: 'db', primaryShard: 'shard0'}");
    admin("{shardCollection: 'db.c', key: {k: 1}}");
    for (int key : new int[] {-50, 0, 50}) {
      admin("{split: 'db.c', middle: {k: %d}}".formatted(key));
    }
    collection()
        .insertMany(
            IntStream.range(-100, 100)
                .mapToObj(i -> new Document("_id", i).append("k", i))
                .toList());
    admin("{moveChunk: 'db.c', find: {k: -100}, to: 'shard1', _waitForDelete: true}");
    admin("{moveChunk: 'db.c', find: {k: -50}, to: 'shard1', _waitForDelete: true}");
  }

  @Test
  void whatTheBackupHasTooMuchIsDeletedAndWhatItLacksIsNamed() throws IOException {
    fill();
    Path data = directory.resolve("shard0-0");
    Path backup = directory.resolve("backup");
    int port = stopFirst();
    copy(data, backup);
    startFirst(port);
    // The first shard gives one range away and gets another.
    admin("{moveChunk: 'db.c', find: {k: 0}, to: 'shard1', _waitForDelete: true}");
    admin("{moveChunk: 'db.c', find: {k: -50}, to: 'shard0', _waitForDelete: true}");
    assertThat(collection().countDocuments()).isEqualTo(200);
    stopFirst();
    delete(data);
    copy(backup, data);
    startFirst(port);

    await("an answer", () -> collection().countDocuments(Filters.gte("k", 50)) == 50);
    assertThat(collection().countDocuments()).isEqualTo(150);
    assertThat(collection().find(Filters.eq("k", 10)).into(new ArrayList<>())).hasSize(1);
    collection().updateOne(Filters.eq("k", 10), new Document("$set", new Document("a", 1)));
    await("the end of deletions", () -> onFirst() == 50);
    List<Document> wrong =
        router
            .getDatabase("db")
            .runCommand(Document.parse("{checkMetadataConsistency: 1}"))
            .get("cursor", Document.class)
            .getList("firstBatch", Document.class);
    assertThat(wrong).hasSize(1);
    assertThat(wrong.getFirst()).containsEntry("type", "RangeMissingInBackup");
    assertThat(wrong.getFirst().get("details", Document.class))
        .containsEntry("namespace", "db.c")
        .containsEntry("shard", "shard0")
        .containsEntry("range", Document.parse("{min: {k: -50}, max: {k: 0}}"));
    collection().insertOne(new Document("_id", 1_000).append("k", -10));
    assertThat(collection().countDocuments()).isEqualTo(151);
    assertThat(collection().find(Filters.eq("k", 10)).first()).containsEntry("a", 1);
  }

  /** Its version is older than that of the collection although it has lost nothing. */
  @Test
  void aShardWithoutChunksKeepsWhatItIsReadyFor() {
    fill();
    admin("{moveChunk: 'db.c', find: {k: 0}, to: 'shard1', _waitForDelete: true}");
    admin("{moveChunk: 'db.c', find: {k: 50}, to: 'shard1', _waitForDelete: true}");
    EmbeddedSet third = set("shard2", directory, ClusterRole.SHARD_SERVER, 0);
    opened.add(third);
    admin("{addShard: '%s'}".formatted(third.connectionString()));
    admin("{moveChunk: 'db.c', find: {k: -100}, to: 'shard2', _waitForDelete: true}");
    onSecond("'alwaysOn', data: {point: 'migration.decide', action: 'hang'}");
    var moved =
        CompletableFuture.runAsync(() -> admin("{moveChunk: 'db.c', find: {k: 50}, to: 'shard0'}"));
    await("the recipient to be ready", () -> movesOfFirst() == 1);

    startFirst(stopFirst());
    // It waits until the tables are compared.
    router.getDatabase("db").getCollection("unsharded").insertOne(new Document("_id", 1));
    assertThat(movesOfFirst()).isEqualTo(1);
    onSecond("'off'");

    assertThat(moved).succeedsWithin(60, TimeUnit.SECONDS);
    assertThat(collection().countDocuments()).isEqualTo(200);
    assertThat(onFirst()).isEqualTo(50);
  }

  private void onSecond(String mode) {
    try (MongoClient direct = MongoClients.create(second.uri())) {
      direct
          .getDatabase("admin")
          .runCommand(
              Document.parse("{configureFailPoint: 'coordinatorPhase', mode: %s}".formatted(mode)));
    }
  }

  private long movesOfFirst() {
    try (MongoClient direct = MongoClients.create(first.uri())) {
      return direct.getDatabase("config").getCollection("shard.catalog.moves").countDocuments();
    }
  }
}
