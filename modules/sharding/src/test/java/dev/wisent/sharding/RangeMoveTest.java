package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** Routing tables after a move that only the shards know of. */
class RangeMoveTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{k: 1}"));
  private static final ChunkVersion NONE = new ChunkVersion(new ObjectId(), 7, 0, 0);

  private static RawDocument key(String value) {
    return RawDocument.parse("{k: " + value + "}");
  }

  private static Chunk chunk(String min, String max, String shard, int major, int minor) {
    return new Chunk(
        new ChunkRange(key(min), key(max)),
        shard,
        new ChunkVersion(NONE.epoch(), NONE.timestamp(), major, minor),
        false);
  }

  private static RangeMove move(String min, String max, String from, String to, int major) {
    return new RangeMove(
        new UUID(1, 2),
        new ChunkRange(key(min), key(max)),
        from,
        to,
        new ChunkVersion(NONE.epoch(), NONE.timestamp(), major, 0),
        true);
  }

  private static RoutingTable table(Chunk... chunks) {
    return RoutingTable.of(KEY, NONE, List.of(chunks));
  }

  private static List<String> chunks(RoutingTable table) {
    var all = new ArrayList<String>();
    table.forEach(
        each ->
            all.add(
                each.range()
                    + " "
                    + each.shard()
                    + " "
                    + each.version().major()
                    + "|"
                    + each.version().minor()));
    return all;
  }

  @Test
  void aPartOfAChunkMoves() {
    RoutingTable after =
        table(chunk("{$minKey: 1}", "{$maxKey: 1}", "a", 4, 7))
            .after(move("10", "20", "a", "b", 5));
    assertThat(chunks(after))
        .containsExactly(
            "[{ k: MinKey }, { k: 10 }) a 5|1",
            "[{ k: 10 }, { k: 20 }) b 5|0",
            "[{ k: 20 }, { k: MaxKey }) a 5|2");
    assertThat(after.versionOf("a").major()).isEqualTo(5);
    assertThat(after.versionOf("b").major()).isEqualTo(5);
  }

  @Test
  void anotherChunkOfTheDonorGetsTheVersion() {
    RoutingTable before =
        table(
            chunk("{$minKey: 1}", "10", "b", 4, 0),
            chunk("10", "20", "a", 4, 1),
            chunk("20", "{$maxKey: 1}", "a", 3, 1));
    RoutingTable after = before.after(move("10", "20", "a", "b", 5));
    assertThat(chunks(after))
        .containsExactly(
            "[{ k: MinKey }, { k: 10 }) b 4|0",
            "[{ k: 10 }, { k: 20 }) b 5|0",
            "[{ k: 20 }, { k: MaxKey }) a 5|1");
    assertThat(before.oldestOfShards().major()).isEqualTo(4);
    assertThat(after.after(move("10", "20", "b", "a", 6)).versionOf("b").major()).isEqualTo(6);
  }

  @Test
  void aDonorWithoutChunksHasNoVersion() {
    RoutingTable after =
        table(chunk("{$minKey: 1}", "10", "b", 4, 0), chunk("10", "{$maxKey: 1}", "a", 4, 1))
            .after(move("10", "{$maxKey: 1}", "a", "b", 5));
    assertThat(after.versionOf("a").combined()).isZero();
    assertThat(after.shards()).containsExactly("b");
  }

  @Test
  void aTableThatIsNotTheOneBeforeStays() {
    RoutingTable before =
        table(chunk("{$minKey: 1}", "10", "b", 4, 0), chunk("10", "{$maxKey: 1}", "a", 4, 1));
    assertThat(before.after(move("10", "20", "a", "b", 6))).isNull();
    assertThat(before.after(move("10", "20", "a", "b", 4))).isNull();
    assertThat(before.after(move("0", "5", "a", "b", 5))).isNull();
    assertThat(before.after(move("5", "15", "b", "a", 5))).isNull();
  }
}
