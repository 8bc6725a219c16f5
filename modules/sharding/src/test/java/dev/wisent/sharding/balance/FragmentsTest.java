package dev.wisent.sharding.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.balance.Fragments.Fragment;
import dev.wisent.sharding.balance.Fragments.Move;
import dev.wisent.sharding.balance.Fragments.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FragmentsTest {
  private static RawDocument key(int value) {
    return new BsonBuilder().appendInt32("k", value).toDocument();
  }

  /** Chunks as {@code shard:bytes}, of a hundred bytes at most; {@code !} is fixed. */
  private static Fragments chunks(Set<RawDocument> borders, String... each) {
    var all = new ArrayList<Fragment>();
    for (int i = 0; i < each.length; i++) {
      boolean fixed = each[i].endsWith("!");
      String[] parts = each[i].replace("!", "").split(":");
      all.add(
          new Fragment(
              new ChunkRange(key(i), key(i + 1)),
              Integer.parseInt(parts[0]),
              Long.parseLong(parts[1]),
              fixed));
    }
    return new Fragments(all, borders, 100);
  }

  private static List<Move> moves(Fragments fragments) {
    return fragments.moves(shard -> true, shard -> true);
  }

  @Test
  void neighboursOfAShardAreMergedUpToTheSizeOfAChunk() {
    assertThat(chunks(Set.of(), "0:40", "0:60", "0:1", "1:5", "1:5", "1:5").runs())
        .containsExactly(new Run(0, 2), new Run(3, 6));
    assertThat(chunks(Set.of(), "0:40", "0:61").runs()).isEmpty();
    assertThat(chunks(Set.of(), "0:4", "0:6!", "0:1").runs()).isEmpty();
    assertThat(chunks(Set.of(key(1)), "0:4", "0:6", "0:1").runs()).containsExactly(new Run(1, 3));
  }

  @Test
  void aSmallChunkGoesToTheSmallerOfItsNeighbours() {
    assertThat(moves(chunks(Set.of(), "0:60", "1:10", "2:50"))).containsExactly(new Move(1, 2));
    assertThat(moves(chunks(Set.of(), "0:95", "1:10", "2:50"))).containsExactly(new Move(1, 2));
    assertThat(moves(chunks(Set.of(key(2)), "0:60", "1:10", "2:50")))
        .containsExactly(new Move(1, 0));
    assertThat(moves(chunks(Set.of(), "0:95", "1:30", "2:50"))).isEmpty();
    assertThat(moves(chunks(Set.of(), "0:60", "1:10!", "2:50"))).isEmpty();
  }

  @Test
  void ofTwoSmallOnesOneMoves() {
    assertThat(moves(chunks(Set.of(), "0:10", "1:10"))).containsExactly(new Move(0, 1));
    assertThat(moves(chunks(Set.of(), "0:10", "1:5"))).containsExactly(new Move(1, 0));
  }

  @Test
  void aChunkThatIsMergedWhereItIsStays() {
    assertThat(moves(chunks(Set.of(), "0:10", "0:10", "1:50"))).isEmpty();
  }

  @Test
  void aShardThatReceivesNothingIsNoTarget() {
    Fragments fragments = chunks(Set.of(), "0:60", "1:10", "2:50");
    assertThat(fragments.moves(shard -> true, shard -> shard != 2)).containsExactly(new Move(1, 0));
    assertThat(fragments.moves(shard -> shard != 1, shard -> true)).isEmpty();
    assertThat(fragments.toBeMoved(shard -> true)).isOne();
  }

  /** Whatever the chunks are, moves and merges come to an end, and no chunk moves twice. */
  @Test
  void defragmentationEnds() {
    var random = new Random(7);
    for (int round = 0; round < 200; round++) {
      String[] given = new String[1 + random.nextInt(30)];
      for (int i = 0; i < given.length; i++) {
        given[i] = random.nextInt(4) + ":" + random.nextInt(random.nextBoolean() ? 25 : 100);
      }
      Fragments fragments = chunks(Set.of(), given);
      int moved = 0;
      for (List<Move> next = moves(fragments); !next.isEmpty(); next = moves(fragments)) {
        var after = new ArrayList<>(fragments.chunks());
        for (Move each : next) {
          Fragment chunk = after.get(each.chunk());
          assertThat(chunk.shard()).isNotEqualTo(each.to());
          after.set(
              each.chunk(), new Fragment(chunk.range(), each.to(), chunk.bytes(), chunk.fixed()));
        }
        moved += next.size();
        fragments = new Fragments(after, Set.of(), 100);
      }
      assertThat(moved).isLessThanOrEqualTo(given.length);
      assertThat(fragments.toBeMoved(shard -> true)).isZero();
    }
  }

  @Test
  void oneRunHasNoMoreChunksThanOneTransactionMayMerge() {
    String[] given = new String[1300];
    Arrays.fill(given, "0:0");
    Fragments fragments = chunks(Set.of(), given);
    assertThat(fragments.runs())
        .containsExactly(new Run(0, 500), new Run(500, 1000), new Run(1000, 1300));
  }
}
