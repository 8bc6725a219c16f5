package dev.wisent.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ScriptedNodes;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shards tell of ranges that have moved before the config servers know of it. */
class ToldMovesTest {
  private static final Namespace NAMESPACE = new Namespace("db", "c");
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  private static final String EPOCH = "0123456789abcdef01234567";
  private static final String MIN = "{$minKey: 1}";
  private static final String MAX = "{$maxKey: 1}";

  private final ScriptedNodes nodes = new ScriptedNodes();
  private final ScriptedConfig config = new ScriptedConfig();
  private ReplicaSetMonitor monitor;
  private CachedCatalog catalog;

  /** The donor s2 has a chunk that is older than all of s1, and one that is newer. */
  @BeforeEach
  void open() {
    config.put(
        "collections",
        ("{_id: 'db.c', lastmodEpoch: {$oid: '%s'}, lastmod: {$date: 1}, timestamp:"
                + " {$timestamp: {t: 5, i: 1}}, uuid: {$uuid: '%s'}, key: {a: 1}, unique: false,"
                + " noBalance: false}")
            .formatted(EPOCH, ID));
    chunk(1, MIN, "0", "s1", 5, 0);
    chunk(2, "0", "10", "s2", 3, 0);
    chunk(3, "10", "20", "s2", 7, 0);
    chunk(4, "20", MAX, "s3", 7, 1);
    nodes.member("cfg", "c1", true, config::answer);
    monitor =
        new ReplicaSetMonitor(
            nodes,
            "cfg",
            Set.of(ScriptedNodes.host("c1")),
            Clock.system(),
            BackgroundLoops.silent());
    catalog = new CachedCatalog(nodes, monitor, Clock.system());
  }

  @AfterEach
  void close() {
    monitor.close();
  }

  private void chunk(int id, String min, String max, String shard, int major, int minor) {
    config.put(
        "chunks",
        new ChunkDocument(
                new ObjectId(id, 0),
                ID,
                range(min, max),
                shard,
                version(major, minor).combined(),
                1,
                List.of(),
                false)
            .toDocument());
  }

  private static ChunkRange range(String min, String max) {
    return new ChunkRange(
        RawDocument.parse("{a: " + min + "}"), RawDocument.parse("{a: " + max + "}"));
  }

  private static ChunkVersion version(int major, int minor) {
    return new ChunkVersion(new ObjectId(EPOCH), 5L << 32 | 1, major, minor);
  }

  private void told(String min, String max, String from, String to, int major) {
    catalog.rangeMoved(
        NAMESPACE,
        new RangeMove(new UUID(0, major), range(min, max), from, to, version(major, 0), true));
  }

  private RoutingTable table() {
    CollectionRouting routing =
        catalog.collection(OperationContext.internal(Clock.system()), NAMESPACE);
    return routing.table();
  }

  private static String shardOf(RoutingTable table, String key) {
    return table.shardOf(table.key().encode(RawDocument.parse("{a: " + key + "}")));
  }

  private void assertMoved(int major) {
    RoutingTable table = table();
    assertThat(shardOf(table, "5")).isEqualTo("s3");
    assertThat(shardOf(table, "15")).isEqualTo("s2");
    assertThat(table.versionOf("s1").major()).isEqualTo(5);
    assertThat(table.versionOf("s2").major()).isEqualTo(major);
    assertThat(table.versionOf("s3").major()).isEqualTo(major);
  }

  /** Otherwise the donor has its old version in a table that is as new as what it asks for. */
  @Test
  void aReadBeforeTheMoveIsSettledKeepsIt() {
    assertThat(shardOf(table(), "5")).isEqualTo("s2");
    told("0", "10", "s2", "s3", 8);
    assertMoved(8);
    catalog.staleCollection(NAMESPACE, null);
    assertMoved(8);
    catalog.staleCollection(NAMESPACE, version(8, 0), "s2");
    assertMoved(8);
    chunk(2, "0", "10", "s3", 8, 0);
    chunk(3, "10", "20", "s2", 8, 1);
    catalog.flush();
    assertMoved(8);
  }

  @Test
  void aMoveIsNotUndoneByOneBeforeIt() {
    assertThat(shardOf(table(), "5")).isEqualTo("s2");
    told("0", "10", "s2", "s1", 8);
    assertThat(shardOf(table(), "5")).isEqualTo("s1");
    told("0", "10", "s1", "s3", 9);
    told("0", "10", "s2", "s1", 8);
    catalog.staleCollection(NAMESPACE, null);
    RoutingTable table = table();
    assertThat(shardOf(table, "5")).isEqualTo("s3");
    assertThat(table.versionOf("s1").major()).isEqualTo(9);
    assertThat(table.versionOf("s2").major()).isEqualTo(8);
    assertThat(table.versionOf("s3").major()).isEqualTo(9);
  }

  @Test
  void aMoveIsKeptUntilThoseBeforeItAreRead() {
    assertThat(shardOf(table(), "5")).isEqualTo("s2");
    told("0", "10", "s1", "s3", 9);
    assertThat(shardOf(table(), "5")).isEqualTo("s2");
    chunk(2, "0", "10", "s1", 8, 0);
    chunk(3, "10", "20", "s2", 8, 1);
    catalog.staleCollection(NAMESPACE, version(9, 0), "s3");
    RoutingTable table = table();
    assertThat(shardOf(table, "5")).isEqualTo("s3");
    assertThat(table.versionOf("s1").major()).isEqualTo(9);
  }

  /** A router that has told itself of a move knows the bounds of chunks from before it. */
  @Test
  void splitsBeforeAMoveAreRead() {
    assertThat(shardOf(table(), "5")).isEqualTo("s2");
    chunk(3, "10", "15", "s2", 7, 2);
    chunk(5, "15", "20", "s2", 7, 3);
    told("0", "10", "s2", "s3", 8);
    chunk(2, "0", "10", "s3", 8, 0);
    chunk(3, "10", "15", "s2", 8, 1);
    catalog.staleCollection(NAMESPACE, null);
    assertMoved(8);
    ChunkRange split = range("15", "20");
    assertThat(table().chunkWithBounds(split.min(), split.max())).isNotNull();
  }
}
