package dev.wisent.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ScriptedNodes;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CachedCatalogTest {
  private static final Namespace NAMESPACE = new Namespace("db", "c");
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final String EPOCH = "0123456789abcdef01234567";

  private final ScriptedNodes nodes = new ScriptedNodes();
  private final ScriptedConfig config = new ScriptedConfig();
  private ReplicaSetMonitor monitor;
  private CachedCatalog catalog;

  @AfterEach
  void close() {
    if (monitor != null) {
      monitor.close();
    }
  }

  private void open(Function<ScriptedNodes.Call, RawDocument> script) {
    nodes.member("cfg", "c1", true, script);
    open();
  }

  private void open() {
    monitor =
        new ReplicaSetMonitor(
            nodes,
            "cfg",
            Set.of(ScriptedNodes.host("c1")),
            Clock.system(),
            BackgroundLoops.silent());
    catalog = new CachedCatalog(nodes, monitor, Clock.system());
  }

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  /** Sharded by {@code a} into two chunks, below and above 0. */
  private void shardCollection() {
    config.put(
        "collections",
        "{_id: 'db.c', lastmodEpoch: {$oid: '"
            + EPOCH
            + "'}, lastmod: {$date: 1}, timestamp:"
            + " {$timestamp: {t: 5, i: 1}}, uuid: {$uuid: '"
            + ID
            + "'}, key: {a: 1},"
            + " unique: false, noBalance: false}");
    chunk(1, "{$minKey: 1}", "0", "s1", 1, 0);
    chunk(2, "0", "{$maxKey: 1}", "s2", 1, 1);
  }

  private void chunk(int id, String min, String max, String shard, int major, int minor) {
    var version = new ChunkVersion(new ObjectId(EPOCH), 5L << 32 | 1, major, minor);
    var range =
        new ChunkRange(
            RawDocument.parse("{a: " + min + "}"), RawDocument.parse("{a: " + max + "}"));
    config.put(
        "chunks",
        new ChunkDocument(
                new ObjectId(id, 0), ID, range, shard, version.combined(), 1, List.of(), false)
            .toDocument());
  }

  private static ChunkVersion version(int major, int minor) {
    return new ChunkVersion(new ObjectId(EPOCH), 5L << 32 | 1, major, minor);
  }

  private String shardOf(String key) {
    CollectionRouting routing = catalog.collection(operation(), NAMESPACE);
    return routing.table().shardOf(routing.key().encode(RawDocument.parse("{a: " + key + "}")));
  }

  private List<RawDocument> finds(String collection) {
    synchronized (nodes.calls) {
      return nodes.calls.stream()
          .filter(call -> call.name().equals("find"))
          .map(ScriptedNodes.Call::body)
          .filter(body -> body.get("find").asString().equals(collection))
          .toList();
    }
  }

  @Test
  void readsACollectionOnce() {
    shardCollection();
    open(config::answer);
    CollectionRouting routing = catalog.collection(operation(), NAMESPACE);
    assertThat(routing.uuid()).isEqualTo(ID);
    assertThat(routing.table().version()).isEqualTo(version(1, 1));
    assertThat(shardOf("-5")).isEqualTo("s1");
    assertThat(shardOf("5")).isEqualTo("s2");
    assertThat(finds("chunks")).hasSize(1);
    assertThat(finds("chunks").getFirst().get("readConcern"))
        .hasToString("{\"level\": \"majority\"}");
  }

  @Test
  void remembersThatACollectionIsNotSharded() {
    open(config::answer);
    assertThat(catalog.collection(operation(), NAMESPACE)).isNull();
    assertThat(catalog.collection(operation(), NAMESPACE)).isNull();
    assertThat(finds("collections")).hasSize(1);
    shardCollection();
    catalog.staleCollection(NAMESPACE, version(1, 1));
    assertThat(shardOf("5")).isEqualTo("s2");
  }

  @Test
  void readsOnlyWhatHasChanged() {
    shardCollection();
    open(config::answer);
    assertThat(shardOf("5")).isEqualTo("s2");
    chunk(2, "0", "10", "s3", 2, 0);
    chunk(3, "10", "{$maxKey: 1}", "s2", 2, 1);
    catalog.staleCollection(NAMESPACE, version(2, 0));
    assertThat(shardOf("5")).isEqualTo("s3");
    assertThat(shardOf("15")).isEqualTo("s2");
    assertThat(finds("chunks")).hasSize(2);
    assertThat(finds("chunks").getLast().get("filter").asDocument().get("lastmod"))
        .hasToString("{\"$gte\": {\"$timestamp\": {\"t\": 1, \"i\": 1}}}");
  }

  @Test
  void readsEverythingAgainWhereAChangeIsMissing() {
    shardCollection();
    open(config::answer);
    assertThat(shardOf("5")).isEqualTo("s2");
    // The other half has a version that is too old to be read.
    chunk(2, "0", "10", "s3", 2, 0);
    chunk(3, "10", "{$maxKey: 1}", "s4", 1, 0);
    catalog.staleCollection(NAMESPACE, version(2, 0));
    assertThat(shardOf("15")).isEqualTo("s4");
    assertThat(finds("chunks")).hasSize(3);
  }

  @Test
  void aReportOfWhatIsKnownCausesNoRead() {
    shardCollection();
    open(config::answer);
    assertThat(shardOf("5")).isEqualTo("s2");
    catalog.staleCollection(NAMESPACE, version(1, 0));
    catalog.staleCollection(NAMESPACE, version(1, 1));
    assertThat(shardOf("5")).isEqualTo("s2");
    assertThat(finds("collections")).hasSize(2);
    catalog.staleCollection(NAMESPACE, null);
    assertThat(shardOf("5")).isEqualTo("s2");
    assertThat(finds("collections")).hasSize(4);
  }

  @Test
  void readsUntilTheWantedVersionIsThere() {
    shardCollection();
    open(
        call -> {
          boolean second = call.name().equals("find") && finds("chunks").size() == 3;
          if (second) {
            chunk(2, "0", "{$maxKey: 1}", "s3", 2, 0);
          }
          return config.answer(call);
        });
    assertThat(shardOf("5")).isEqualTo("s2");
    catalog.staleCollection(NAMESPACE, version(2, 0));
    assertThat(shardOf("5")).isEqualTo("s3");
  }

  @Test
  void aDroppedCollectionIsNotShardedAnyMore() {
    shardCollection();
    open(config::answer);
    assertThat(shardOf("5")).isEqualTo("s2");
    config.clear("collections");
    config.clear("chunks");
    catalog.staleCollection(NAMESPACE, ChunkVersion.UNSHARDED);
    assertThat(catalog.collection(operation(), NAMESPACE)).isNull();
  }

  @Test
  void asksThePrimaryAfterAReport() {
    shardCollection();
    nodes.member("cfg", "c1", true, config::answer);
    nodes.member("cfg", "c2", false, config::answer);
    nodes.hello("cfg", "c1", true, "c1", "c2");
    nodes.hello("cfg", "c2", false, "c1", "c2");
    open();
    assertThat(shardOf("5")).isEqualTo("s2");
    nodes.calls.clear();
    for (int i = 0; i < 5; i++) {
      catalog.staleCollection(NAMESPACE, null);
      assertThat(shardOf("5")).isEqualTo("s2");
    }
    assertThat(nodes.calls)
        .extracting(ScriptedNodes.Call::host)
        .containsOnly(ScriptedNodes.host("c1"));
  }

  @Test
  void asksThePrimaryWhereOthersHaveNotAllChunks() {
    shardCollection();
    var behind = new ScriptedConfig();
    String[] hosts = {"c1", "c2", "c3", "c4", "c5"};
    for (String host : hosts) {
      boolean primary = host.equals("c1");
      nodes.member(
          "cfg",
          host,
          primary,
          call -> (primary || isOfCollections(call) ? config : behind).answer(call));
      nodes.hello("cfg", host, primary, hosts);
    }
    // Which member is asked first is random.
    for (int i = 0; i < 20; i++) {
      open();
      assertThat(shardOf("5")).isEqualTo("s2");
      monitor.close();
    }
  }

  private static boolean isOfCollections(ScriptedNodes.Call call) {
    return call.body().get("find").asString().equals("collections");
  }

  @Test
  void asksAnotherMemberWhereOneIsDown() {
    shardCollection();
    nodes.member("cfg", "c1", false, call -> down());
    nodes.member("cfg", "c2", false, config::answer);
    nodes.hello("cfg", "c1", false, "c1", "c2");
    nodes.hello("cfg", "c2", false, "c1", "c2");
    open();
    assertThat(shardOf("5")).isEqualTo("s2");
  }

  private static RawDocument down() {
    throw new CommandException(ErrorCode.HOST_UNREACHABLE, "down");
  }

  @Test
  void oneRequestReadsForAll() throws Exception {
    shardCollection();
    var held = new CompletableFuture<ScriptedNodes.Call>();
    open(
        call -> {
          if (finds("collections").size() == 1 && held.complete(call)) {
            return null;
          }
          return config.answer(call);
        });
    var outcomes = new ArrayList<CompletableFuture<String>>();
    for (int i = 0; i < 10; i++) {
      outcomes.add(started(() -> shardOf("5")));
    }
    ScriptedNodes.Call first = held.get(30, TimeUnit.SECONDS);
    first.answer().complete(config.answer(first));
    for (CompletableFuture<String> outcome : outcomes) {
      assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo("s2");
    }
    assertThat(finds("chunks")).hasSize(1);
  }

  private static <T> CompletableFuture<T> started(Callable<T> action) {
    var outcome = new CompletableFuture<T>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                outcome.complete(action.call());
              } catch (Exception e) {
                outcome.completeExceptionally(e);
              }
            });
    return outcome;
  }

  @Test
  void aRequestWaitsNoLongerThanItMay() throws Exception {
    shardCollection();
    var held = new CompletableFuture<ScriptedNodes.Call>();
    open(call -> held.complete(call) ? null : config.answer(call));
    CompletableFuture<String> reading = started(() -> shardOf("5"));
    ScriptedNodes.Call first = held.get(30, TimeUnit.SECONDS);
    OperationContext limited = operation();
    limited.limitMillis(1);
    assertThatThrownBy(() -> catalog.collection(limited, NAMESPACE))
        .isInstanceOf(CommandException.class)
        .hasMessage("operation exceeded time limit");
    OperationContext killed = operation();
    killed.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(() -> catalog.collection(killed, NAMESPACE))
        .isInstanceOf(CommandException.class)
        .hasMessage("operation was interrupted");
    first.answer().complete(config.answer(first));
    assertThat(reading.get(30, TimeUnit.SECONDS)).isEqualTo("s2");
  }

  @Test
  void theNextRequestReadsWhereTheReaderMustStop() throws Exception {
    shardCollection();
    var held = new CompletableFuture<ScriptedNodes.Call>();
    open(call -> held.complete(call) ? null : config.answer(call));
    OperationContext killed = operation();
    CompletableFuture<CollectionRouting> reading =
        started(() -> catalog.collection(killed, NAMESPACE));
    held.get(30, TimeUnit.SECONDS);
    CompletableFuture<String> waiting = started(() -> shardOf("5"));
    killed.kill(ErrorCode.INTERRUPTED);
    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("s2");
    assertThatThrownBy(reading::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("operation was interrupted");
  }

  /** So that a collection with many chunks is known at last, however little time requests have. */
  @Test
  void theNextRequestGoesOnWithTheChunksThatAreThere() throws Exception {
    shardCollection();
    config.clear("chunks");
    int chunks = 1_500;
    for (int i = 0; i < chunks; i++) {
      String min = i == 0 ? "{$minKey: 1}" : "" + i;
      String max = i == chunks - 1 ? "{$maxKey: 1}" : "" + (i + 1);
      chunk(i + 1, min, max, "s" + i % 3, 1, i);
    }
    var held = new CompletableFuture<ScriptedNodes.Call>();
    var batches = new AtomicInteger();
    open(
        call -> {
          boolean hold =
              call.name().equals("getMore")
                  && batches.incrementAndGet() == 1_200 / ScriptedConfig.BATCH;
          return hold && held.complete(call) ? null : config.answer(call);
        });
    OperationContext killed = operation();
    CompletableFuture<CollectionRouting> reading =
        started(() -> catalog.collection(killed, NAMESPACE));
    held.get(30, TimeUnit.SECONDS);
    killed.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(reading::join).hasMessageContaining("operation was interrupted");
    assertThat(shardOf("1499")).isEqualTo("s2");
    assertThat(shardOf("3")).isEqualTo("s0");
    assertThat(catalog.collection(operation(), NAMESPACE).table().chunkCount()).isEqualTo(chunks);
    assertThat(finds("chunks")).hasSize(2);
    assertThat(finds("chunks").getLast().get("filter").asDocument().get("lastmod"))
        .hasToString("{\"$gt\": {\"$timestamp\": {\"t\": 1, \"i\": 1199}}}");
  }

  @Test
  void allWhoWaitGetTheErrorOfTheRead() throws Exception {
    var held = new CompletableFuture<ScriptedNodes.Call>();
    open(
        call ->
            held.complete(call)
                ? null
                : RawDocument.parse("{ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'no'}"));
    CompletableFuture<String> reading = started(() -> shardOf("5"));
    ScriptedNodes.Call first = held.get(30, TimeUnit.SECONDS);
    CompletableFuture<String> waiting = started(() -> shardOf("5"));
    first.answer().complete(RawDocument.parse("{ok: 0, code: 13, errmsg: 'no'}"));
    assertThatThrownBy(reading::join).hasMessageContaining("no");
    assertThatThrownBy(waiting::join).hasMessageContaining("no");
  }

  @Test
  void readsDatabasesUntilTheyExist() {
    open(config::answer);
    assertThat(catalog.database(operation(), "db")).isNull();
    config.put("databases", database("s1", 1));
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s1");
    config.put("databases", database("s2", 2));
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s1");
    catalog.staleDatabase("db", new DatabaseVersion(ID, 5L << 32 | 1, 1));
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s1");
    catalog.staleDatabase("db", new DatabaseVersion(ID, 5L << 32 | 1, 2));
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s2");
    config.put("databases", database("s3", 3));
    catalog.staleDatabase("db", null);
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s3");
  }

  private static String database(String shard, int lastMod) {
    return "{_id: 'db', primary: '"
        + shard
        + "', version: {uuid: {$uuid: '"
        + ID
        + "'}, timestamp:"
        + " {$timestamp: {t: 5, i: 1}}, lastMod: "
        + lastMod
        + "}}";
  }

  @Test
  void readsShardsAgainForAnUnknownName() {
    config.put("shards", "{_id: 's1', host: 'rs1/h1:1', state: 1}");
    var heard = new ArrayList<List<ShardInfo>>();
    open(config::answer);
    catalog.whenShardsRead(heard::add);
    assertThat(catalog.shard(operation(), "s1").setName()).isEqualTo("rs1");
    config.put("shards", "{_id: 's2', host: 'rs2/h2:1', state: 1}");
    assertThat(catalog.shards(operation())).hasSize(1);
    assertThat(catalog.shard(operation(), "s2").setName()).isEqualTo("rs2");
    assertThat(catalog.shards(operation())).hasSize(2);
    assertThat(heard).hasSize(2);
    assertThatThrownBy(() -> catalog.shard(operation(), "s3"))
        .isInstanceOf(CommandException.class)
        .hasMessage("Shard s3 not found")
        .satisfies(
            e -> assertThat(((CommandException) e).code()).isEqualTo(ErrorCode.SHARD_NOT_FOUND));
  }

  @Test
  void readsShardsFromTimeToTime() {
    config.put("shards", "{_id: 's1', host: 'rs1/h1:1', state: 1}");
    open(config::answer);
    var heard = new LinkedBlockingQueue<List<ShardInfo>>();
    catalog.whenShardsRead(heard::add);
    BackgroundLoop job = catalog.job(BackgroundLoops.silent());
    job.start();
    try {
      job.wake();
      assertThat(awaited(heard)).hasSize(1);
      config.put("shards", "{_id: 's2', host: 'rs2/h2:1', state: 1}");
      job.wake();
      assertThat(awaited(heard)).hasSize(2);
    } finally {
      job.interrupt();
      job.join();
    }
  }

  private static <T> T awaited(BlockingQueue<T> queue) {
    try {
      return queue.poll(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void flushesWhatItKnows() {
    shardCollection();
    config.put("databases", database("s1", 1));
    open(config::answer);
    assertThat(shardOf("5")).isEqualTo("s2");
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s1");
    chunk(2, "0", "{$maxKey: 1}", "s3", 2, 0);
    config.put("databases", database("s2", 2));
    catalog.flushCollection(NAMESPACE);
    assertThat(shardOf("5")).isEqualTo("s3");
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s1");
    chunk(2, "0", "{$maxKey: 1}", "s4", 3, 0);
    catalog.flushDatabase("db");
    assertThat(shardOf("5")).isEqualTo("s4");
    assertThat(catalog.database(operation(), "db").primaryShard()).isEqualTo("s2");
    chunk(2, "0", "{$maxKey: 1}", "s5", 4, 0);
    catalog.flush();
    assertThat(shardOf("5")).isEqualTo("s5");
  }
}
