package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.sharding.ChunkDocument.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which shards a router asks that reads at a time. */
class PastPlacementTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{a: 1}"));
  private static final UUID COLLECTION = new UUID(1, 2);
  private static final long BEGIN = seconds(1_000);
  private static final ChunkVersion NONE =
      new ChunkVersion(new ObjectId("0123456789abcdef01234567"), BEGIN, 0, 0);

  private static long seconds(long count) {
    return count << Integer.SIZE;
  }

  private static RawDocument at(int bound) {
    return RawDocument.parse("{a: " + bound + "}");
  }

  private static byte[] key(int value) {
    return KEY.encode(at(value));
  }

  private static ChunkRange range(RawDocument min, RawDocument max) {
    return new ChunkRange(min, max);
  }

  private static ChunkDocument chunk(
      ChunkRange range, String shard, int major, List<Placement> history) {
    long lastmod = new ChunkVersion(NONE.epoch(), BEGIN, major, 0).combined();
    long since = history.getFirst().validAfter();
    return new ChunkDocument(
        new ObjectId(), COLLECTION, range, shard, lastmod, since, history, false);
  }

  private static RoutingTable table(ChunkDocument... chunks) {
    RoutingTableBuilder table = RoutingTableBuilder.of(KEY, NONE);
    for (ChunkDocument chunk : chunks) {
      ChunkDocument.addTo(table, chunk.toDocument());
    }
    return table.build();
  }

  private static RoutingTable whole(Placement... history) {
    return table(
        chunk(range(KEY.globalMin(), KEY.globalMax()), history[0].shard(), 9, List.of(history)));
  }

  @Test
  void betweenTwoTimesAChunkMayHaveMoved() {
    RoutingTable table =
        whole(
            new Placement(BEGIN + 20, "c"),
            new Placement(BEGIN + 10, "b"),
            new Placement(BEGIN, "a"));
    assertThat(table.shardsOf(key(1), BEGIN + 9)).containsExactlyInAnyOrder("a", "b");
    assertThat(table.shardsOf(key(1), BEGIN + 10)).containsExactlyInAnyOrder("b", "c");
    assertThat(table.shardsOf(key(1), BEGIN + 19)).containsExactlyInAnyOrder("b", "c");
    assertThat(table.shardsOf(key(1), BEGIN + 20)).containsExactly("c");
    assertThat(table.shards(BEGIN + 20)).containsExactly("c");
    assertThat(table.shards(BEGIN)).containsExactlyInAnyOrder("a", "b");
    assertThat(table.shards()).containsExactly("c");
    assertThat(table.isSameSince(BEGIN + 20)).isTrue();
    assertThat(table.isSameSince(BEGIN + 19)).isFalse();
  }

  @Test
  void theTimeBeforeAForgottenMoveIsRefused() {
    RoutingTable table = whole(new Placement(BEGIN + 20, "c"), new Placement(BEGIN + 10, "b"));
    assertThat(table.shardsOf(key(1), BEGIN + 10)).containsExactlyInAnyOrder("b", "c");
    assertThatThrownBy(() -> table.shardsOf(key(1), BEGIN + 9))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_CHUNK_HISTORY));
  }

  @Test
  void aRangeThatShardsHaveToldToHaveMovedMayHaveBeenOnBothAtAnyTime() {
    RoutingTable before = whole(new Placement(BEGIN + 10, "b"), new Placement(BEGIN, "a"));
    var move =
        new RangeMove(
            new UUID(3, 4),
            range(at(0), at(10)),
            "b",
            "c",
            new ChunkVersion(NONE.epoch(), BEGIN, 10, 0),
            true);
    RoutingTable after = before.after(move);
    assertThat(after.shardOf(key(5))).isEqualTo("c");
    assertThat(after.shardsOf(key(5), BEGIN + 5)).containsExactlyInAnyOrder("a", "b");
    assertThat(after.shardsOf(key(5), BEGIN + 15)).containsExactlyInAnyOrder("b", "c");
    assertThat(after.shardsOf(key(15), BEGIN + 15)).containsExactly("b");
    assertThat(after.shards(BEGIN + 15)).containsExactlyInAnyOrder("b", "c");
    assertThat(after.shards()).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void groupsOfEntriesAreKeptOrForgottenAsAWhole() {
    long old = seconds(5_000);
    List<Placement> history =
        List.of(
            new Placement(old, "a"),
            new Placement(old - 1, "b"),
            new Placement(old - 1, "c"),
            new Placement(old - 2, "d"));
    assertThat(ChunkHistory.moved(history, old + 1, "e")).hasSize(5);
    assertThat(ChunkHistory.moved(history, old + seconds(301), "e"))
        .containsExactly(new Placement(old + seconds(301), "e"), history.getFirst());
  }

  /** Chunks and where each key really was. */
  private static final class Model {
    private static final int KEYS = 40;
    private final Random random;
    private final List<ChunkDocument> chunks = new ArrayList<>();

    /** By key: the times at which it has come to shards, ascending. */
    private final List<List<Placement>> truth = new ArrayList<>();

    private final Set<ChunkDocument> changed = new LinkedHashSet<>();
    private long now = BEGIN;
    private int version = 1;

    Model(Random random) {
      this.random = random;
      chunks.add(
          chunk(
              range(KEY.globalMin(), KEY.globalMax()),
              "s0",
              version,
              List.of(new Placement(BEGIN, "s0"))));
      for (int i = 0; i < KEYS; i++) {
        truth.add(new ArrayList<>(List.of(new Placement(BEGIN, "s0"))));
      }
    }

    long later() {
      now += 1 + random.nextInt(3);
      return now;
    }

    void step() {
      int at = random.nextInt(chunks.size());
      switch (random.nextInt(3)) {
        case 0 -> split(at);
        case 1 -> merge(at);
        default -> move(at);
      }
    }

    private void split(int at) {
      ChunkDocument chunk = chunks.get(at);
      int middle = random.nextInt(KEYS);
      if (!has(chunk, middle) || chunk.range().min().equals(at(middle))) {
        return;
      }
      version++;
      replace(
          at,
          1,
          chunk(range(chunk.range().min(), at(middle)), chunk.shard(), version, chunk.history()),
          chunk(range(at(middle), chunk.range().max()), chunk.shard(), version, chunk.history()));
    }

    private void merge(int at) {
      if (at + 1 == chunks.size() || !chunks.get(at).shard().equals(chunks.get(at + 1).shard())) {
        return;
      }
      ChunkDocument first = chunks.get(at);
      ChunkDocument second = chunks.get(at + 1);
      replace(
          at,
          2,
          chunk(
              range(first.range().min(), second.range().max()),
              first.shard(),
              ++version,
              ChunkHistory.merged(List.of(first.history(), second.history()))));
    }

    /** The config servers hear of the move later, and others may have been noted meanwhile. */
    private void move(int at) {
      ChunkDocument chunk = chunks.get(at);
      String to = "s" + random.nextInt(4);
      if (to.equals(chunk.shard())) {
        return;
      }
      long moved = later();
      for (int i = 0; i < KEYS; i++) {
        if (has(chunk, i)) {
          truth.get(i).add(new Placement(moved, to));
        }
      }
      replace(
          at,
          1,
          chunk(chunk.range(), to, ++version, ChunkHistory.moved(chunk.history(), later(), to)));
    }

    private void replace(int at, int count, ChunkDocument... by) {
      for (int i = 0; i < count; i++) {
        changed.remove(chunks.remove(at));
      }
      chunks.addAll(at, List.of(by));
      changed.addAll(List.of(by));
    }

    private static boolean has(ChunkDocument chunk, int value) {
      return Arrays.compareUnsigned(KEY.encode(chunk.range().min()), key(value)) <= 0
          && Arrays.compareUnsigned(key(value), KEY.encode(chunk.range().max())) < 0;
    }

    String ownerOf(int value, long time) {
      return truth.get(value).stream()
          .filter(place -> place.validAfter() <= time)
          .reduce((before, after) -> after)
          .orElseThrow()
          .shard();
    }

    RoutingTable updated(RoutingTable table) {
      RoutingTableBuilder builder = table.changes();
      changed.forEach(chunk -> ChunkDocument.addTo(builder, chunk.toDocument()));
      changed.clear();
      return builder.build();
    }
  }

  /** Random splits, merges and moves: the shard that had a key at a time is among those asked. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theShardThatHadAKeyIsAsked(int offset) {
    var random = new Random(Long.getLong("wisent.seed", System.nanoTime()) * 31 + offset);
    var model = new Model(random);
    RoutingTable table = table(model.chunks.toArray(ChunkDocument[]::new));
    for (int round = 0; round < 60; round++) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        model.step();
      }
      table = model.updated(table);
      RoutingTable read = table(model.chunks.toArray(ChunkDocument[]::new));
      for (int i = 0; i < 60; i++) {
        check(model, random, table, read);
      }
    }
  }

  private static void check(Model model, Random random, RoutingTable table, RoutingTable read) {
    long time = BEGIN + random.nextInt((int) (model.now - BEGIN) + 2);
    int low = random.nextInt(Model.KEYS);
    int high = low + random.nextInt(Model.KEYS - low);
    Set<String> asked;
    Set<String> range;
    try {
      asked = table.shardsOf(key(low), time);
      assertThat(read.shardsOf(key(low), time)).isEqualTo(asked);
      range =
          new ShardTargeter(table, time)
              .ofFilter(
                  RawDocument.parse("{a: {$gte: " + low + ", $lte: " + high + "}}"),
                  QueryContext.of(() -> 0, () -> 0))
              .shards();
    } catch (CommandException e) {
      // So many moves that the oldest are forgotten.
      assertThat(e.code()).isEqualTo(ErrorCode.STALE_CHUNK_HISTORY);
      assertThat(model.version).isGreaterThan(20);
      return;
    }
    assertThat(asked).contains(model.ownerOf(low, time));
    for (int value = low; value <= high; value++) {
      assertThat(range).contains(model.ownerOf(value, time));
    }
    if (time >= model.now) {
      assertThat(asked).containsExactly(model.ownerOf(low, time));
    }
  }
}
