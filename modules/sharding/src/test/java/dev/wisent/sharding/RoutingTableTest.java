package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTableTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{a: 1}"));
  private static final ChunkVersion FIRST =
      new ChunkVersion(new ObjectId("0123456789abcdef01234567"), 42, 1, 0);

  private static RawDocument at(Object bound) {
    return RawDocument.parse("{a: " + bound + "}");
  }

  private static Chunk chunk(Object min, Object max, String shard, int major, int minor) {
    var version = new ChunkVersion(FIRST.epoch(), FIRST.timestamp(), major, minor);
    RawDocument from = min == null ? KEY.globalMin() : at(min);
    RawDocument to = max == null ? KEY.globalMax() : at(max);
    return new Chunk(new ChunkRange(from, to), shard, version, false);
  }

  private static RoutingTable table(Chunk... chunks) {
    return RoutingTable.of(KEY, FIRST, List.of(chunks));
  }

  private static RoutingTable threeChunks() {
    return table(chunk(10, null, "s3", 3, 0), chunk(null, 0, "s1", 1, 0), chunk(0, 10, "s2", 1, 1));
  }

  private static byte[] key(Object value) {
    return KEY.encode(at(value));
  }

  @Test
  void findsTheShardOfAKey() {
    RoutingTable table = threeChunks();
    assertThat(table.chunkCount()).isEqualTo(3);
    assertThat(table.shards()).containsExactlyInAnyOrder("s1", "s2", "s3");
    assertThat(table.shardOf(key(-1))).isEqualTo("s1");
    assertThat(table.shardOf(key("null"))).isEqualTo("s1");
    assertThat(table.shardOf(key("{$minKey: 1}"))).isEqualTo("s1");
    assertThat(table.shardOf(key(0))).isEqualTo("s2");
    assertThat(table.shardOf(key(9.99))).isEqualTo("s2");
    assertThat(table.shardOf(key(10.0))).isEqualTo("s3");
    assertThat(table.shardOf(key("'text'"))).isEqualTo("s3");
    assertThat(table.shardOf(key("{$maxKey: 1}"))).isEqualTo("s3");
  }

  /** As while the chunks of a refined collection are completed. */
  @Test
  void takesBoundsOfTheKeyThatItsKeyRefines() {
    ShardKeyPattern refined = ShardKeyPattern.of(RawDocument.parse("{a: 1, b: 1}"));
    RawDocument low = RawDocument.parse("{a: 0, b: {$minKey: 1}}");
    RawDocument high = RawDocument.parse("{a: 10, b: {$minKey: 1}}");
    RoutingTable table =
        RoutingTable.of(
            refined,
            FIRST,
            List.of(
                chunk(null, 0, "s1", 1, 0),
                new Chunk(new ChunkRange(low, high), "s2", FIRST, false),
                chunk(10, null, "s3", 1, 2)));
    assertThat(table.chunkWithBounds(low, high).shard()).isEqualTo("s2");
    assertThat(table.chunkWithBounds(refined.globalMin(), low).shard()).isEqualTo("s1");
    assertThat(table.chunkWithBounds(high, refined.globalMax()).shard()).isEqualTo("s3");
  }

  @Test
  void knowsVersions() {
    RoutingTable table = threeChunks();
    assertThat(table.version()).isEqualTo(new ChunkVersion(FIRST.epoch(), 42, 3, 0));
    assertThat(table.versionOf("s2")).isEqualTo(new ChunkVersion(FIRST.epoch(), 42, 1, 1));
    assertThat(table.versionOf("other")).isEqualTo(new ChunkVersion(FIRST.epoch(), 42, 0, 0));
  }

  @Test
  void findsChunksByKeyAndByBounds() {
    RoutingTable table = threeChunks();
    assertThat(table.chunkOf(key(5))).isEqualTo(chunk(0, 10, "s2", 1, 1));
    assertThat(table.chunkOf(key(100))).isEqualTo(chunk(10, null, "s3", 3, 0));
    assertThat(table.chunkWithBounds(at(0), at(10.0))).isEqualTo(chunk(0, 10, "s2", 1, 1));
    assertThat(table.chunkWithBounds(at(0), at(9))).isNull();
    assertThat(table.chunkWithBounds(at(1), at(10))).isNull();
  }

  @Test
  void boundsKeepTheTypesOfTheirNumbers() {
    var chunks =
        List.of(
            chunk(null, 1.5, "s1", 1, 0),
            chunk(1.5, "{$numberLong: '7'}", "s1", 1, 1),
            chunk("{$numberLong: '7'}", "{$numberDecimal: '8'}", "s1", 1, 2),
            chunk("{$numberDecimal: '8'}", "{x: [1, {$date: 5}]}", "s1", 1, 3),
            chunk("{x: [1, {$date: 5}]}", null, "s1", 1, 4));
    var found = new ArrayList<Chunk>();
    RoutingTable.of(KEY, FIRST, chunks).forEach(found::add);
    assertThat(found).isEqualTo(chunks);
  }

  @Test
  void findsTheShardsOfARange() {
    RoutingTable table = threeChunks();
    assertThat(table.shardsBetween(key(-5), key(0))).containsExactly("s1");
    assertThat(table.shardsBetween(key(-5), key(1))).containsExactlyInAnyOrder("s1", "s2");
    assertThat(table.shardsBetween(key(3), null)).containsExactlyInAnyOrder("s2", "s3");
    assertThat(table.shardsBetween(new byte[0], null)).hasSize(3);
  }

  @Test
  void mergesTheRangesOfAShard() {
    RoutingTable table =
        table(
            chunk(null, 0, "s1", 1, 0),
            chunk(0, 1, "s1", 1, 1),
            chunk(1, 2, "s2", 1, 2),
            chunk(2, null, "s1", 1, 3));
    assertThat(table.rangesOf("s1"))
        .containsExactly(
            new ChunkRange(KEY.globalMin(), at(1)), new ChunkRange(at(2), KEY.globalMax()));
    assertThat(table.rangesOf("s2")).containsExactly(new ChunkRange(at(1), at(2)));
    assertThat(table.rangesOf("other")).isEmpty();
  }

  @Test
  void refusesGapsAndOverlaps() {
    assertConflict(() -> table(chunk(null, 0, "s1", 1, 0), chunk(1, null, "s1", 1, 1)));
    assertConflict(() -> table(chunk(null, 0, "s1", 1, 0)));
    assertConflict(() -> table(chunk(0, null, "s1", 1, 0)));
    assertConflict(() -> table());
    assertConflict(() -> threeChunks().updated(List.of(chunk(0, 5, "s1", 4, 0))));
    assertConflict(() -> threeChunks().updated(List.of(chunk(0, 11, "s1", 4, 0))));
    assertConflict(() -> threeChunks().updated(List.of(chunk(-1, 10, "s1", 4, 0))));
  }

  private static void assertConflict(Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOf(CommandException.class)
        .satisfies(
            e ->
                assertThat(((CommandException) e).code())
                    .isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS));
  }

  @Test
  void theNewestOfOverlappingChunksCounts() {
    RoutingTable table =
        table(
            chunk(null, 10, "s1", 1, 0),
            chunk(10, null, "s1", 1, 1),
            chunk(null, 10, "s2", 2, 0),
            chunk(null, 5, "s2", 2, 1),
            chunk(5, 10, "s2", 2, 2));
    assertThat(table.chunkCount()).isEqualTo(3);
    assertThat(table.shardOf(key(7))).isEqualTo("s2");
  }

  @Test
  void aShardThatGaveItsLastChunkAwayHasNoVersion() {
    RoutingTable table = threeChunks().updated(List.of(chunk(10, null, "s1", 4, 0)));
    assertThat(table.shards()).containsExactlyInAnyOrder("s1", "s2");
    assertThat(table.versionOf("s3").combined()).isZero();
  }

  /** Random splits, merges and moves, against a map from lower bounds to chunks. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void agreesWithAModel(int offset) {
    var random = new Random(Long.getLong("wisent.seed", System.nanoTime()) * 31 + offset);
    var model = new TreeMap<byte[], Chunk>(Arrays::compareUnsigned);
    put(model, chunk(null, null, "s0", 1, 0));
    RoutingTable table = RoutingTable.of(KEY, FIRST, model.values());
    int version = 1;
    for (int round = 0; round < 60; round++) {
      var changed = new ArrayList<Chunk>();
      int changes = round % 10 == 0 ? 600 : 1 + random.nextInt(4);
      for (int i = 0; i < changes; i++) {
        changed.addAll(change(model, random, ++version));
      }
      Collections.shuffle(changed, random);
      table = table.updated(changed);
      assertSame(table, model, random);
    }
    assertThat(table.chunkCount()).as("several pages").isGreaterThan(1024);
    assertSame(RoutingTable.of(KEY, FIRST, model.values()), model, random);
  }

  private static void put(TreeMap<byte[], Chunk> model, Chunk chunk) {
    model.put(KEY.encode(chunk.range().min()), chunk);
  }

  /** Changes the model; returns the chunks that are new. */
  private static List<Chunk> change(TreeMap<byte[], Chunk> model, Random random, int version) {
    RawDocument middle = at(random.nextInt(1_000_000));
    byte[] key = KEY.encode(middle);
    var at = model.floorEntry(key);
    Chunk old = at.getValue();
    int kind = random.nextInt(10);
    if (kind < 2) {
      Chunk moved = with(old.range(), "s" + random.nextInt(5), version, 0);
      put(model, moved);
      return List.of(moved);
    }
    if (kind < 3) {
      Chunk last = old;
      for (int i = random.nextInt(4); i >= 0 && model.higherEntry(key) != null; i--) {
        byte[] next = model.higherKey(key);
        last = model.remove(next);
      }
      Chunk merged =
          with(new ChunkRange(old.range().min(), last.range().max()), old.shard(), version, 0);
      put(model, merged);
      return List.of(merged);
    }
    if (Arrays.equals(at.getKey(), key)) {
      return List.of();
    }
    Chunk left = with(new ChunkRange(old.range().min(), middle), old.shard(), version, 0);
    Chunk right = with(new ChunkRange(middle, old.range().max()), old.shard(), version, 1);
    put(model, left);
    put(model, right);
    return List.of(left, right);
  }

  private static Chunk with(ChunkRange range, String shard, int major, int minor) {
    var version = new ChunkVersion(FIRST.epoch(), FIRST.timestamp(), major, minor);
    return new Chunk(range, shard, version, major % 7 == 0);
  }

  private static void assertSame(RoutingTable table, TreeMap<byte[], Chunk> model, Random random) {
    assertThat(table.chunkCount()).isEqualTo(model.size());
    var all = new ArrayList<Chunk>();
    table.forEach(all::add);
    assertThat(all.equals(List.copyOf(model.values()))).isTrue();
    for (int i = 0; i < 5; i++) {
      byte[] key = key(random.nextInt(1_000_000));
      Chunk expected = model.floorEntry(key).getValue();
      assertThat(table.shardOf(key)).isEqualTo(expected.shard());
      assertThat(table.chunkOf(key)).isEqualTo(expected);
      assertThat(table.chunkWithBounds(expected.range().min(), expected.range().max()))
          .isEqualTo(expected);
    }
    int low = random.nextInt(1_000_000);
    int high = low + 1 + random.nextInt(random.nextBoolean() ? 100 : 1_000_000);
    Set<String> shards =
        model.subMap(model.floorKey(key(low)), key(high)).values().stream()
            .map(Chunk::shard)
            .collect(Collectors.toSet());
    assertThat(table.shardsBetween(key(low), key(high))).isEqualTo(shards);
    assertThat(table.version().combined()).isEqualTo(newest(model, chunk -> true));
    for (String shard : List.of("s0", "s1", "s2", "s3", "s4")) {
      assertThat(table.versionOf(shard).combined())
          .isEqualTo(newest(model, chunk -> chunk.shard().equals(shard)));
      assertThat(table.rangesOf(shard).equals(merged(model, shard))).isTrue();
    }
  }

  private static long newest(TreeMap<byte[], Chunk> model, Predicate<Chunk> which) {
    return model.values().stream()
        .filter(which)
        .mapToLong(chunk -> chunk.version().combined())
        .max()
        .orElse(0);
  }

  private static List<ChunkRange> merged(TreeMap<byte[], Chunk> model, String shard) {
    var ranges = new ArrayList<ChunkRange>();
    Chunk before = null;
    for (Chunk chunk : model.values()) {
      if (chunk.shard().equals(shard)) {
        if (before != null && before.shard().equals(shard)) {
          RawDocument min = ranges.removeLast().min();
          ranges.add(new ChunkRange(min, chunk.range().max()));
        } else {
          ranges.add(chunk.range());
        }
      }
      before = chunk;
    }
    return ranges;
  }
}
