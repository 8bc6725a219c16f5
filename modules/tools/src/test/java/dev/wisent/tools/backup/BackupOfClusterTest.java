package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import dev.wisent.testkit.Eventually;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Through a router all shards are backed up at one time. */
class BackupOfClusterTest {
  private static final int ROUNDS = 3;
  private static final int HALF = 0;
  private static final int OPEN_MAX = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final AtomicInteger written = new AtomicInteger();
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  /** One document on each shard: the second is written when the first is acknowledged. */
  private void write(MongoCollection<Document> counters) {
    try {
      while (!stopped) {
        for (int id : List.of(HALF - 1, HALF + 1)) {
          counters.updateOne(Filters.eq(id), Updates.inc("n", 1));
        }
        written.incrementAndGet();
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void awaitMore(int count) {
    int end = written.get() + count;
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (written.get() < end) {
      assertThat(failure).isNull();
      assertThat(System.nanoTime()).as("writes").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void fill(MongoClient client) {
    var admin = client.getDatabase("admin");
    admin.runCommand(new Document("enableSharding", "test").append("primaryShard", "shard0"));
    admin.runCommand(
        new Document("shardCollection", "test.counters").append("key", new Document("_id", 1)));
    admin.runCommand(
        new Document("split", "test.counters").append("middle", new Document("_id", HALF)));
    admin.runCommand(
        new Document("moveChunk", "test.counters")
            .append("find", new Document("_id", HALF))
            .append("to", "shard1"));
    client
        .getDatabase("test")
        .getCollection("counters")
        .insertMany(
            List.of(
                new Document("_id", HALF - 1).append("n", 0),
                new Document("_id", HALF + 1).append("n", 0)));
  }

  @Test
  void shardsAreOfOneMoment() throws ToolException, IOException, InterruptedException {
    var backups = new Backups(directory.resolve("backups"));
    int[] before = new int[ROUNDS];
    try (Wisent cluster = Wisent.cluster(2);
        MongoClient client = MongoClients.create(cluster.uri())) {
      fill(client);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> write(client.getDatabase("test").getCollection("counters")));
      for (int round = 0; round < ROUNDS; round++) {
        awaitMore(10);
        before[round] = written.get();
        assertThat(backups.make(cluster.uri())).contains("[config, shard0, shard1]");
      }
      stopped = true;
      writer.join();
      // Without writes the members are asked to pass the time.
      backups.make(cluster.uri());
    }
    assertThat(failure).isNull();
    List<BackupManifest> all = backups.all();
    assertThat(all).hasSize(ROUNDS + 1);
    for (int round = 0; round <= ROUNDS; round++) {
      BackupManifest backup = all.get(round);
      assertThat(backup.partNames()).containsExactly("config", "shard0", "shard1");
      int first = counter(backup, "shard0", HALF - 1);
      int second = counter(backup, "shard1", HALF + 1);
      assertThat(first - second).as("of one moment").isBetween(0, 1);
      assertThat(first).isGreaterThanOrEqualTo(round < ROUNDS ? before[round] : written.get());
      BsonDocument origin = backup.parts().getFirst().origin();
      assertThat(origin.getString("clusterRole").getValue()).isEqualTo("configsvr");
    }
    assertThatThrownBy(() -> backups.run("restore", "DIR", "--dbpath=" + directory.resolve("x")))
        .hasMessageContaining("choose one of [config, shard0, shard1] with --shard");
  }

  /** A shard that goes while the members fix their states; one that comes is the same. */
  @Test
  void shardsThatChangeMeanwhileAreLookedAtAgain() throws ToolException, IOException {
    var backups = new Backups(directory.resolve("backups"));
    try (Wisent cluster = Wisent.cluster(2);
        MongoClient client = MongoClients.create(cluster.uri())) {
      var harness = new ToolHarness();
      harness.onMessage(
          "all members have fixed their states",
          () ->
              Eventually.holds(
                  "shard1 is removed",
                  PATIENCE,
                  () ->
                      client
                          .getDatabase("admin")
                          .runCommand(new Document("removeShard", "shard1"))
                          .getString("state")
                          .equals("completed")));
      backups.run(harness, "-v", "--out=DIR", "--uri=" + cluster.uri());
      assertThat(harness.messages()).contains("a shard was added or removed meanwhile: again");
    }
    assertThat(backups.newest().partNames()).containsExactly("config", "shard0");
  }

  /** Begins a backup of a time that is not to come, in a way that ends it. */
  @FunctionalInterface
  private interface Ending {
    void begin(String uri, Document command);
  }

  /** As often as there may be backups; then there is room for another one. */
  private static void givesItsPlaceBack(Ending ending) {
    try (Wisent cluster = Wisent.cluster(1)) {
      var later = new BsonTimestamp((int) (System.currentTimeMillis() / 1_000) + 3_600, 0);
      for (int i = 0; i < OPEN_MAX; i++) {
        ending.begin(cluster.uri(), begin().append("atClusterTime", later));
      }
      try (MongoClient client = MongoClients.create(cluster.uri())) {
        Eventually.holds("a backup begins", PATIENCE, () -> begins(client));
      }
    }
  }

  @Test
  void aClientThatLeavesGivesItsPlaceBack() {
    givesItsPlaceBack(
        (uri, begin) -> {
          MongoClientSettings impatient =
              MongoClientSettings.builder()
                  .applyConnectionString(new ConnectionString(uri))
                  .applyToSocketSettings(socket -> socket.readTimeout(1, TimeUnit.SECONDS))
                  .build();
          try (MongoClient client = MongoClients.create(impatient)) {
            assertThatThrownBy(() -> client.getDatabase("admin").runCommand(begin))
                .isInstanceOf(MongoSocketReadTimeoutException.class);
          }
        });
  }

  @Test
  void aTimeLimitGivesThePlaceBack() {
    givesItsPlaceBack(
        (uri, begin) -> {
          try (MongoClient client = MongoClients.create(uri)) {
            Document limited = begin.append("maxTimeMS", 200);
            assertThatThrownBy(() -> client.getDatabase("admin").runCommand(limited))
                .isInstanceOf(MongoExecutionTimeoutException.class);
          }
        });
  }

  @Test
  void killOpGivesThePlaceBack() {
    givesItsPlaceBack(
        (uri, begin) -> {
          try (MongoClient client = MongoClients.create(uri)) {
            MongoDatabase admin = client.getDatabase("admin");
            CompletableFuture<Document> begun =
                CompletableFuture.supplyAsync(
                    () -> admin.runCommand(begin), task -> Thread.ofPlatform().start(task));
            Eventually.holds("it is killed", PATIENCE, () -> kills(admin) || begun.isDone());
            assertThatThrownBy(() -> begun.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                    MongoCommandException.class,
                    e -> assertThat(e.getErrorCodeName()).isEqualTo("Interrupted"));
          }
        });
  }

  /** Kills the router's operation when it waits for the shard. */
  private static boolean kills(MongoDatabase admin) {
    Document found =
        admin
            .aggregate(
                List.of(
                    Document.parse("{$currentOp: {localOps: true}}"),
                    Document.parse("{$match: {'command.backupBegin': 1, waitingForLock: true}}")))
            .first();
    if (found == null) {
      return false;
    }
    admin.runCommand(new Document("killOp", 1).append("op", found.get("opid")));
    return true;
  }

  private static boolean begins(MongoClient client) {
    try {
      return client.getDatabase("admin").runCommand(begin()).containsKey("backup");
    } catch (MongoCommandException e) {
      assertThat(e.getErrorCodeName()).isEqualTo("CannotBackup");
      return false;
    }
  }

  private static Document begin() {
    return new Document("backupBegin", 1).append("shard", "shard0");
  }

  private int counter(BackupManifest backup, String shard, int id) throws ToolException {
    var backups = new Backups(directory.resolve("backups"));
    Path copy = directory.resolve(backup.id() + "-" + shard);
    backups.run("restore", "DIR", "--backup", backup.id(), "--shard", shard, "--dbpath=" + copy);
    int[] found = new int[1];
    Backups.inspect(
        copy,
        client -> {
          Document counter =
              client.getDatabase("test").getCollection("counters").find(Filters.eq(id)).first();
          found[0] = counter.getInteger("n");
          Backups.validate(client, "test");
        });
    return found[0];
  }
}
