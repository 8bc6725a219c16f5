package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What explain shows of the memory and files that a stage used. */
class StageUseTest {
  private static final int DOCUMENTS = 2_000;
  private static final String GROUP = "{$group: {_id: '$_id', m: {$max: '$t'}}}";
  private static final String SORT = "{$sort: {t: -1}}";
  private static final String WINDOW = "{$setWindowFields: {output: {n: {$sum: '$_id'}}}}";

  private static RawDocument use(String stage, long bytesMax) {
    List<RawDocument> input = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      input.add(RawDocument.parse("{_id: " + i + ", t: 'text number " + i + "'}"));
    }
    try (StageRun run =
        StageRun.of(new SortSpace(bytesMax, new MemoryScratch(), WorkMeter.unchecked()))) {
      DocumentStream stream =
          StageFixture.parse("[" + stage + "]").over(StageFixture.stream(input), 0, run);
      assertThat(StageFixture.drain(stream)).hasSize(DOCUMENTS);
      var out = new BsonBuilder();
      stream.appendUse(out);
      return out.toDocument();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GROUP, SORT, WINDOW})
  void inMemory(String stage) {
    RawDocument use = use(stage, 100 << 20);
    assertThat(use.get("usedDisk").asBoolean()).isFalse();
    if (use.get("spills") != null) {
      assertThat(use.get("spills").asInt64()).isZero();
      assertThat(use.get("spilledDataStorageSize").asInt64()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GROUP, SORT})
  void withFiles(String stage) {
    RawDocument use = use(stage, 50_000);
    assertThat(use.get("usedDisk").asBoolean()).isTrue();
    assertThat(use.get("spills").asInt64()).isBetween(2L, (long) DOCUMENTS);
    assertThat(use.get("spilledDataStorageSize").asInt64()).isGreaterThan(10L * DOCUMENTS);
  }

  @Test
  void ofGroups() {
    RawDocument use = use(GROUP, 50_000);
    assertThat(use.get("spilledRecords").asInt64()).isEqualTo(DOCUMENTS);
    assertThat(use.get("numBytesSpilledEstimate").asInt64()).isGreaterThan(10L * DOCUMENTS);
    assertThat(use.get("totalOutputDataSizeBytes").asInt64()).isGreaterThan(20L * DOCUMENTS);
    assertThat(use.get("maxAccumulatorMemoryUsageBytes").asDocument().get("m").asInt64())
        .isBetween(1L, 60_000L);
  }

  @Test
  void ofSorts() {
    assertThat(use(SORT, 100 << 20).get("totalDataSizeSortedBytesEstimate").asInt64())
        .isGreaterThan(30L * DOCUMENTS);
  }

  @Test
  void ofWindows() {
    RawDocument use = use(WINDOW, 20_000);
    assertThat(use.get("usedDisk").asBoolean()).isTrue();
    assertThat(use.get("maxTotalMemoryUsageBytes").asInt64()).isGreaterThan(10_000);
    assertThat(use.get("maxFunctionMemoryUsageBytes").asDocument().get("n").asInt64()).isPositive();
  }
}
