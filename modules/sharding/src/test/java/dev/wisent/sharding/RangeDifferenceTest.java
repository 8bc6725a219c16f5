package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeDifferenceTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{k: 1}"));

  private static List<ChunkRange> ranges(int... bounds) {
    return Arrays.stream(pairs(bounds)).map(each -> range(each[0], each[1])).toList();
  }

  private static int[][] pairs(int... bounds) {
    int[][] pairs = new int[bounds.length / 2][];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = new int[] {bounds[2 * i], bounds[2 * i + 1]};
    }
    return pairs;
  }

  private static ChunkRange range(int min, int max) {
    return new ChunkRange(key(min), key(max));
  }

  private static RawDocument key(int value) {
    return RawDocument.parse("{k: " + value + "}");
  }

  private static List<ChunkRange> difference(List<ChunkRange> from, List<ChunkRange> removed) {
    return new RangeDifference(KEY).of(from, removed);
  }

  @Test
  void whatIsRemovedIsCutOut() {
    assertThat(difference(ranges(0, 10), ranges(3, 5))).isEqualTo(ranges(0, 3, 5, 10));
    assertThat(difference(ranges(0, 10), ranges(0, 5))).isEqualTo(ranges(5, 10));
    assertThat(difference(ranges(0, 10), ranges(5, 20))).isEqualTo(ranges(0, 5));
    assertThat(difference(ranges(0, 10), ranges(-5, 20))).isEmpty();
    assertThat(difference(ranges(0, 10), ranges(10, 20))).isEqualTo(ranges(0, 10));
  }

  @Test
  void rangesMayComeInAnyOrder() {
    assertThat(difference(ranges(20, 30, 0, 10), ranges(25, 40, 5, 22)))
        .isEqualTo(ranges(0, 5, 22, 25));
    assertThat(difference(ranges(0, 10, 20, 30), ranges(2, 3, 4, 5, 21, 22)))
        .isEqualTo(ranges(0, 2, 3, 4, 5, 10, 20, 21, 22, 30));
  }

  @Test
  void ownedRangesGainAndLose() {
    var version = new ChunkVersion(new org.bson.types.ObjectId(), 1, 2, 0);
    var owned =
        new OwnedRanges(
            new dev.wisent.operation.Namespace("d", "c"),
            new java.util.UUID(1, 2),
            KEY,
            false,
            version,
            ranges(0, 10, 20, 30));
    assertThat(owned.with(range(10, 20), version.nextMajor()).ranges()).isEqualTo(ranges(0, 30));
    assertThat(owned.with(range(12, 14), version).ranges())
        .isEqualTo(ranges(0, 10, 12, 14, 20, 30));
    assertThat(owned.without(range(0, 10), version).ranges()).isEqualTo(ranges(20, 30));
    assertThat(owned.without(range(22, 24), version).ranges())
        .isEqualTo(ranges(0, 10, 20, 22, 24, 30));
    assertThat(owned.covers(range(2, 10))).isTrue();
    assertThat(owned.covers(range(2, 11))).isFalse();
    assertThat(owned.overlaps(range(10, 20))).isFalse();
    assertThat(owned.overlaps(range(9, 12))).isTrue();
  }
}
