package dev.wisent.sharding.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class RoutedChunksTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{k: 1}"));
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 7, 1, 0);

  /** Several pages of chunks, on the shards b, a, b, a and so on; each tenth is jumbo. */
  private static RoutingTable table(int count) {
    var chunks = new ArrayList<Chunk>();
    RawDocument min = KEY.globalMin();
    for (int i = 0; i < count; i++) {
      RawDocument max = i + 1 == count ? KEY.globalMax() : key(10 * (i + 1));
      chunks.add(new Chunk(new ChunkRange(min, max), i % 2 == 0 ? "b" : "a", FIRST, i % 10 == 9));
      min = max;
    }
    return RoutingTable.of(KEY, FIRST, chunks);
  }

  private static RawDocument key(int value) {
    return RawDocument.parse("{k: " + value + "}");
  }

  @Test
  void chunksHaveNumbersInTheOrderOfTheirKeys() {
    List<ShardLoad> shards = List.of(ShardLoad.of("a", 0), ShardLoad.of("b", 0));
    RoutedChunks chunks = RoutedChunks.of(table(5_000), shards);
    assertThat(chunks.size()).isEqualTo(5_000);
    for (int i : new int[] {0, 1, 9, 4_999, 2_500, 1_024, 1_023}) {
      assertThat(chunks.shard(i)).isEqualTo(i % 2 == 0 ? 1 : 0);
      assertThat(chunks.isJumbo(i)).isEqualTo(i % 10 == 9);
      assertThat(chunks.indexOf(chunks.range(i).min())).isEqualTo(i);
    }
    assertThat(chunks.range(2_500).min()).isEqualTo(key(25_000));
    assertThat(chunks.indexOf(key(25_009))).isEqualTo(2_500);
    assertThat(chunks.indexOf(KEY.globalMax())).isEqualTo(4_999);
    assertThat(chunks.indexOf(KEY.globalMin())).isZero();
  }

  @Test
  void aChunkOnAnUnknownShardIsAMistake() {
    assertThatThrownBy(() -> RoutedChunks.of(table(3), List.of(ShardLoad.of("a", 0))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
