package dev.wisent.cluster.shard.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.WriteSamples.Sample;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkGrowthTest {
  private static final ShardKeyPattern KEY = ShardKeyPattern.of(RawDocument.parse("{_id: 1}"));

  private static Sample sample(int id) {
    return new Sample(KEY.encode(key(id)), 100);
  }

  private static RawDocument key(int id) {
    return RawDocument.parse("{_id: " + id + "}");
  }

  @Test
  void whatWasMeasuredWithASplitChunkDoesNotCountAgain() {
    var growth = new ChunkGrowth();
    List<Sample> samples = List.of(sample(5), sample(15), sample(25));
    assertThat(growth.afterCuts(samples)).isEqualTo(samples);
    growth.cut(KEY, new ChunkRange(key(10), KEY.globalMax()), List.of(key(18), key(20)));
    assertThat(growth.afterCuts(samples)).containsExactly(samples.get(0), samples.get(2));
    assertThat(growth.afterCuts(samples)).as("of the next turn").isEqualTo(samples);
    growth.cut(KEY, new ChunkRange(KEY.globalMin(), key(20)), List.of(key(10)));
    assertThat(growth.afterCuts(samples)).containsExactly(samples.get(0), samples.get(2));
    growth.cut(KEY, new ChunkRange(key(0), key(20)), List.of(key(10)));
    assertThat(growth.afterCuts(samples)).containsExactly(samples.get(2));
  }
}
