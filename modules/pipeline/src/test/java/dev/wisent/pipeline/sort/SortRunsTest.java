package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortRunsTest {
  private final MemoryScratch scratch = new MemoryScratch();
  private final SortSpace space = new SortSpace(1000, scratch, WorkMeter.unchecked());
  private final SortRuns runs = new SortRuns(space);

  private void add(int key, int bytes) {
    RawDocument document =
        new BsonBuilder().appendInt32("k", key).appendString("pad", "x".repeat(bytes)).toDocument();
    var entry = new SortEntry(new byte[] {(byte) key}, 0, new SortedDocument(document, key));
    runs.add(List.of(entry).iterator());
  }

  private List<Integer> merged() {
    var keys = new ArrayList<Integer>();
    Iterator<SortEntry> entries = runs.merged();
    while (entries.hasNext()) {
      keys.add(entries.next().document().document().get("k").asInt32());
    }
    return keys;
  }

  @Test
  void manySmallRunsAreMergedAtOnce() {
    for (int key = 30; key > 0; key--) {
      add(key, 10);
    }
    assertThat(scratch.openFiles()).isEqualTo(30);
    assertThat(merged()).hasSize(30).isSorted();
    assertThat(scratch.openFiles()).isEqualTo(30);
    runs.delete();
    assertThat(scratch.openFiles()).isZero();
  }

  @Test
  void ofLargeEntriesOnlyAFewAreInMemory() {
    for (int key = 9; key > 0; key--) {
      add(key, 4_200_000);
    }
    // The first seven have become one.
    assertThat(scratch.openFiles()).isEqualTo(3);
    assertThat(merged()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(runs.written()).isEqualTo(9);
    assertThat(runs.entries()).isEqualTo(9);
    runs.delete();
    assertThat(scratch.openFiles()).isZero();
  }
}
