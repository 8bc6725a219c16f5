package dev.wisent.cluster.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that report on all shards, or act on all of them, through a router. */
class RouterDiagnosticsTest {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir static Path directory;
  private static EmbeddedCluster cluster;
  private static MongoClient client;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(2, directory, options -> {});
    client = MongoClients.create(cluster.uri());
    spread("spread.c");
    client.getDatabase("spread").getCollection("c").insertMany(numbers(100));
  }

  @AfterAll
  static void stop() {
    client.close();
    cluster.close();
  }

  private static void spread(String namespace) {
    admin(new Document("shardCollection", namespace).append("key", new Document("_id", "hashed")));
  }

  private static Document admin(Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  private static Document admin(String command) {
    return admin(new Document(command, 1));
  }

  private static List<Document> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Document("_id", i)).toList();
  }

  /** Waits until there is a value. */
  private static <T> T eventually(Supplier<T> value) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    T found = value.get();
    while (found == null && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      found = value.get();
    }
    assertThat(found).isNotNull();
    return found;
  }

  /** A read that waits for documents that never come. */
  private static CompletableFuture<Document> waitingRead(String database) {
    MongoDatabase target = client.getDatabase(database);
    target.createCollection(
        "capped", new CreateCollectionOptions().capped(true).sizeInBytes(100_000));
    MongoCollection<Document> capped = target.getCollection("capped");
    capped.insertOne(new Document("_id", 1));
    return CompletableFuture.supplyAsync(
        () -> {
          try (MongoCursor<Document> cursor =
              capped
                  .find()
                  .cursorType(CursorType.TailableAwait)
                  .maxAwaitTime(10, TimeUnit.MINUTES)
                  .iterator()) {
            cursor.next();
            return cursor.next();
          }
        });
  }

  private static Document runningOnShard(String namespace) {
    return eventually(
        () ->
            admin(new Document("currentOp", 1).append("ns", namespace).append("op", "getmore"))
                .getList("inprog", Document.class)
                .stream()
                .findFirst()
                .orElse(null));
  }

  @Test
  void operationsOfShardsAreShownAndKilledByTheirNames() {
    CompletableFuture<Document> read = waitingRead("awaited");
    Document operation = runningOnShard("awaited.capped");
    assertThat(operation.getString("shard")).startsWith("shard");
    assertThat(operation.getString("opid")).matches(operation.getString("shard") + ":\\d+");
    assertThat(operation).containsKey("client_s").doesNotContainKey("client");
    assertThat(operation.keySet().iterator().next()).isEqualTo("shard");

    List<Document> staged =
        client
            .getDatabase("admin")
            .aggregate(
                List.of(
                    new Document("$currentOp", new Document("allUsers", true)),
                    new Document("$match", new Document("ns", "awaited.capped")),
                    new Document("$project", new Document("opid", 1))))
            .into(new ArrayList<>());
    assertThat(staged).containsExactly(new Document("opid", operation.getString("opid")));
    List<Document> local =
        client
            .getDatabase("admin")
            .aggregate(
                List.of(
                    new Document("$currentOp", new Document("localOps", true)),
                    new Document("$match", new Document("ns", "awaited.capped"))))
            .into(new ArrayList<>());
    assertThat(local)
        .hasSize(1)
        .first()
        .satisfies(
            here -> {
              assertThat(here.get("opid")).isInstanceOf(Integer.class);
              assertThat(here).containsKey("client").doesNotContainKey("shard");
            });

    Document killed = admin(new Document("killOp", 1).append("op", operation.get("opid")));
    assertThat(killed).containsEntry("shard", operation.getString("shard"));
    assertThat(failureOf(read)).isInstanceOf(MongoException.class);
    assertThat(((MongoException) failureOf(read)).getCode()).isEqualTo(11601);
  }

  @Test
  void killingTheRoutersPartEndsThatOfTheShard() {
    CompletableFuture<Document> read = waitingRead("abandoned");
    runningOnShard("abandoned.capped");
    Document here =
        client
            .getDatabase("admin")
            .aggregate(
                List.of(
                    new Document("$currentOp", new Document("localOps", true)),
                    new Document("$match", new Document("ns", "abandoned.capped"))))
            .first();
    admin(new Document("killOp", 1).append("op", here.get("opid")));
    assertThat(((MongoException) failureOf(read)).getCode()).isEqualTo(11601);
    eventually(
        () ->
            admin(new Document("currentOp", 1).append("ns", "abandoned.capped"))
                    .getList("inprog", Document.class)
                    .isEmpty()
                ? true
                : null);
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    try {
      throw new AssertionError("no failure but " + future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void namesOfOperationsThatAreNotOnesAreRefused() {
    assertKillOpFails("nothing", 28625, "of the format shardid:opid but found \"nothing\"");
    assertKillOpFails(":7", 28625, "shardid:opid");
    assertKillOpFails("shard7:1", 70, "not found");
    assertKillOpFails("shard0:x", 9, "x");
    assertKillOpFails(new Document(), 50760, "unsupported type");
    assertThatThrownBy(() -> admin("killOp"))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(50759));
  }

  private static void assertKillOpFails(Object op, int code, String message) {
    assertThatThrownBy(() -> admin(new Document("killOp", 1).append("op", op)))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(code));
  }

  @Test
  void serverStatusIsThatOfARouter() {
    client.getDatabase("spread").getCollection("c").find(Filters.eq(1)).first();
    client.getDatabase("spread").getCollection("c").find().first();
    client.getDatabase("whole").getCollection("c").find().first();
    Document status = admin("serverStatus");
    assertThat(status)
        .containsEntry("process", "mongos")
        .containsKeys("connections", "opcounters", "network", "mem", "metrics")
        .doesNotContainKeys("storageEngine", "repl", "globalLock", "locks", "opcountersRepl");
    assertThat(status.get("sharding", Document.class).getString("configsvrConnectionString"))
        .isEqualTo(cluster.config().connectionString());
    Document statistics = status.get("shardingStatistics", Document.class);
    Document finds = statistics.get("numHostsTargeted", Document.class).get("find", Document.class);
    assertThat(finds.getLong("oneShard")).isPositive();
    assertThat(finds.getLong("allShards")).isPositive();
    assertThat(finds.getLong("unsharded")).isPositive();
    assertThat(statistics.get("catalogCache", Document.class).getLong("numCollectionEntries"))
        .isPositive();
  }

  @Test
  void topIsTheSumOfAllShards() {
    Document spread = admin("top").get("totals", Document.class).get("spread.c", Document.class);
    assertThat(((Number) spread.get("insert", Document.class).get("count")).longValue())
        .as("an insert on each shard")
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void fsyncLocksAllShardsAndTheConfigServers() {
    Document locked = admin(new Document("fsync", 1).append("lock", true));
    try {
      Document raw = locked.get("all", Document.class).get("raw", Document.class);
      assertThat(raw).hasSize(3);
      assertThat(raw.keySet())
          .containsExactlyInAnyOrder(
              cluster.shards().get(0).connectionString(),
              cluster.shards().get(1).connectionString(),
              cluster.config().connectionString());
      for (int shard = 0; shard < 2; shard++) {
        try (MongoClient direct = MongoClients.create(cluster.shards().get(shard).uri())) {
          assertThat(direct.getDatabase("admin").runCommand(new Document("currentOp", 1)))
              .containsEntry("fsyncLock", true);
        }
      }
    } finally {
      assertThat(admin("fsyncUnlock").get("raw", Document.class)).hasSize(3);
    }
    client.getDatabase("spread").getCollection("after").insertOne(new Document());
    assertThatThrownBy(() -> admin("fsyncUnlock")).hasMessageContaining("not locked");
    assertThat(admin("fsync")).containsEntry("numFiles", 1);
  }

  @Test
  void killedSessionsLoseTheirCursorsOnAllRouters() {
    try (EmbeddedNode second = cluster.newRouter(directory.resolve("second"), options -> {});
        MongoClient other = MongoClients.create("mongodb://" + second.address() + "/")) {
      ClientSession session = other.startSession(ClientSessionOptions.builder().build());
      MongoCursor<Document> cursor =
          other.getDatabase("spread").getCollection("c").find(session).batchSize(2).iterator();
      cursor.next();
      admin(new Document("killSessions", List.of(session.getServerSession().getIdentifier())));
      assertThatThrownBy(
              () -> {
                while (cursor.hasNext()) {
                  cursor.next();
                }
              })
          .isInstanceOf(MongoException.class);
      session.close();
    }
  }

  @Test
  void endedSessionsLoseTheirCursorsOnShards() {
    long before = openCursors();
    try (MongoClient passing = MongoClients.create(cluster.uri())) {
      ClientSession session = passing.startSession();
      MongoCursor<Document> cursor =
          passing.getDatabase("spread").getCollection("c").find(session).batchSize(2).iterator();
      cursor.next();
      assertThat(openCursors()).isGreaterThan(before);
      passing
          .getDatabase("admin")
          .runCommand(
              new Document("endSessions", List.of(session.getServerSession().getIdentifier())));
      eventually(() -> openCursors() <= before ? true : null);
    }
  }

  private static long openCursors() {
    long open = 0;
    for (int shard = 0; shard < 2; shard++) {
      try (MongoClient direct = MongoClients.create(cluster.shards().get(shard).uri())) {
        open +=
            direct
                .getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("metrics", Document.class)
                .get("cursor", Document.class)
                .get("open", Document.class)
                .getLong("total");
      }
    }
    return open;
  }

  @Test
  void databasesAreFilteredByTheirSizesOnAllShards() {
    Document sizes =
        admin(new Document("listDatabases", 1).append("filter", Filters.eq("name", "spread")));
    Document spread = sizes.getList("databases", Document.class).getFirst();
    long sum =
        spread.get("shards", Document.class).values().stream().mapToLong(each -> (Long) each).sum();
    assertThat(spread.getLong("sizeOnDisk")).isEqualTo(sum).isPositive();
    assertThat(
            admin(new Document("listDatabases", 1).append("filter", Filters.eq("sizeOnDisk", sum)))
                .getList("databases", Document.class))
        .extracting(each -> each.getString("name"))
        .contains("spread");
    assertThat(
            admin(new Document("listDatabases", 1).append("nameOnly", true))
                .getList("databases", Document.class))
        .contains(new Document("name", "spread"))
        .doesNotContain(new Document("name", "local"));
    Document stats = client.getDatabase("spread").runCommand(new Document("dbStats", 1));
    assertThat(stats.get("objects", Number.class).longValue()).isGreaterThanOrEqualTo(100);
    assertThat(stats.get("raw", Document.class))
        .containsKey(cluster.shards().get(0).connectionString());
  }

  @Test
  void aRouterTellsOfItsConnections() {
    Document pools = admin("connPoolStats");
    assertThat(pools.getInteger("totalCreated")).isPositive();
    assertThat(pools.get("replicaSets", Document.class)).containsKeys("config", "shard0");
    admin(new Document("dropConnections", 1).append("hostAndPort", List.of("localhost:1")));
    assertThat(client.getDatabase("spread").getCollection("c").countDocuments()).isEqualTo(100);
  }

  @Test
  void whatTheConfigServersKnowIsAskedThere() {
    assertThat(admin("getDefaultRWConcern")).containsKey("defaultWriteConcern");
    assertThatThrownBy(() -> admin(new Document("getDefaultRWConcern", 1).append("nonsense", 1)))
        .hasMessageContaining("nonsense");
    assertThat(admin(new Document("getClusterParameter", "*"))).containsKey("clusterParameters");
    assertThat(
            admin(new Document("appendOplogNote", 1).append("data", new Document("noted", "here")))
                .get("raw", Document.class))
        .hasSize(2);
  }

  @Test
  void whatIsForReplicaSetsIsRefused() {
    assertThatThrownBy(() -> admin("replSetGetStatus"))
        .hasMessageContaining("replSetGetStatus is not supported through mongos");
    for (String command : List.of("replSetStepDown", "replSetGetConfig", "replSetInitiate")) {
      assertThatThrownBy(() -> admin(command))
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(59));
    }
  }

  @Test
  void aRouterAnswersForItself() {
    for (String command : List.of("hostInfo", "getCmdLineOpts", "buildInfo", "connectionStatus")) {
      assertThat(admin(command)).containsEntry("ok", 1.0);
    }
    assertThat(admin(new Document("getLog", "global"))).containsKey("log");
    assertThat(admin(new Document("getParameter", 1).append("cursorTimeoutMillis", 1)))
        .containsKey("cursorTimeoutMillis");
    admin(new Document("setParameter", 1).append("logLevel", 0));
    assertThat(admin("hello"))
        .containsEntry("msg", "isdbgrid")
        .containsEntry("isWritablePrimary", true)
        .doesNotContainKeys("setName", "hosts", "secondary", "me", "primary");
  }

  @Test
  void aConnectionsRequestsRunInTheirOrder() {
    String one = cluster.uri() + "?maxPoolSize=1";
    spread("ordered.c");
    try (MongoClient single = MongoClients.create(one)) {
      MongoCollection<Document> c = single.getDatabase("ordered").getCollection("c");
      MongoCollection<Document> unacknowledged = c.withWriteConcern(WriteConcern.UNACKNOWLEDGED);
      for (int i = 0; i < 15; i++) {
        unacknowledged.insertOne(new Document("_id", i));
        unacknowledged.updateOne(Filters.eq(i), new Document("$set", new Document("x", 1)));
        assertThat(c.countDocuments(Filters.eq("x", 1))).isEqualTo(i + 1);
      }
      unacknowledged.deleteMany(Filters.eq("x", 1));
      assertThat(c.countDocuments()).isZero();
    }
  }
}
