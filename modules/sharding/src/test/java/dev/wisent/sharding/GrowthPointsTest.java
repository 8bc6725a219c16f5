package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where chunks are split that have grown. */
class GrowthPointsTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{k: 1}"));

  private static RawDocument key(int value) {
    return RawDocument.parse("{k: " + value + "}");
  }

  private static List<Integer> points(ChunkRange chunk, int documentsMax, IntStream keys) {
    int[] all = keys.toArray();
    var points = new GrowthPoints(KEY, chunk, all.length, documentsMax);
    IntStream.of(all).forEach(each -> points.add(key(each)));
    return points.points().stream().map(point -> (int) point.get("k").toLong()).toList();
  }

  @Test
  void aChunkBetweenOthersIsCutIntoHalves() {
    var chunk = new ChunkRange(key(0), key(1000));
    assertThat(points(chunk, 100, IntStream.range(0, 100))).containsExactly(50);
    assertThat(points(chunk, 100, IntStream.range(0, 120))).containsExactly(50);
    assertThat(points(chunk, 100, IntStream.range(0, 200))).containsExactly(50, 101, 152);
  }

  @Test
  void theOnlyChunkIsCutIntoHalves() {
    var chunk = new ChunkRange(KEY.globalMin(), KEY.globalMax());
    assertThat(points(chunk, 100, IntStream.range(0, 100))).containsExactly(50);
    assertThat(points(chunk, 200, IntStream.range(0, 100))).containsExactly(50);
    assertThat(points(chunk, 100, IntStream.range(0, 180))).containsExactly(90);
  }

  @Test
  void theOnlyChunkIsCutIntoWholeChunksIfItIsLarge() {
    var chunk = new ChunkRange(KEY.globalMin(), KEY.globalMax());
    assertThat(points(chunk, 100, IntStream.range(0, 370))).containsExactly(100, 201, 302);
  }

  @Test
  void theLastChunkIsCutBehindItsLastKey() {
    var chunk = new ChunkRange(key(0), KEY.globalMax());
    assertThat(points(chunk, 100, IntStream.range(0, 120))).containsExactly(119);
    assertThat(points(chunk, 100, IntStream.range(0, 350))).containsExactly(100, 201, 349);
    assertThat(points(chunk, 100, IntStream.range(0, 370))).containsExactly(100, 201, 302, 369);
  }

  @Test
  void theFirstChunkIsCutBeforeItsFirstKey() {
    var chunk = new ChunkRange(KEY.globalMin(), key(1000));
    assertThat(points(chunk, 100, IntStream.range(0, 120))).containsExactly(0);
    assertThat(points(chunk, 100, IntStream.range(0, 250))).containsExactly(0, 100);
    assertThat(points(chunk, 100, IntStream.range(0, 260))).containsExactly(0, 100, 201);
  }

  @Test
  void hashesOnlyGrowEverywhere() {
    ShardKeyPattern hashed = ShardKeyPattern.of(RawDocument.parse("{k: 'hashed'}"));
    var points =
        new GrowthPoints(
            hashed,
            new ChunkRange(RawDocument.parse("{k: {$numberLong: '0'}}"), hashed.globalMax()),
            110,
            100);
    IntStream.range(0, 110).forEach(each -> points.add(key(each)));
    assertThat(points.points()).containsExactly(key(50));
  }

  @Test
  void oneKeyStaysInOneChunk() {
    var chunk = new ChunkRange(KEY.globalMin(), KEY.globalMax());
    assertThat(points(chunk, 10, IntStream.generate(() -> 7).limit(100))).isEmpty();
    var last = new ChunkRange(key(0), KEY.globalMax());
    assertThat(points(last, 10, IntStream.generate(() -> 7).limit(100))).isEmpty();
    IntStream two = IntStream.concat(IntStream.generate(() -> 7).limit(100), IntStream.of(8));
    assertThat(points(new ChunkRange(key(7), key(9)), 10, two)).containsExactly(8);
  }

  @Test
  void nothingHasNoPoints() {
    var chunk = new ChunkRange(KEY.globalMin(), KEY.globalMax());
    assertThat(points(chunk, 10, IntStream.empty())).isEmpty();
  }
}
