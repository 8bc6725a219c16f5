package dev.wisent.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceReaderTest {
  private static final long HEAP = 512L << 20;

  @Test
  void theFirstBatchesOfManyCollectionsFitIntoAPartOfTheHeap() {
    assertThat(SourceReader.firstBatchBytes(9, HEAP)).isEqualTo(1 << 20);
    for (int collections : new int[] {100, 3_000, 100_000}) {
      assertThat(SourceReader.firstBatchBytes(collections, HEAP) * collections)
          .isPositive()
          .isLessThanOrEqualTo(HEAP / 4);
    }
  }
}
