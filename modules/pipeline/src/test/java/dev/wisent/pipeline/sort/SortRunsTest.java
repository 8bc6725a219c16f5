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
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final SortSpace space = new SortSpace(1000, scratch, WorkMeter.unchecked(), budget);
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

  @Test
  void blocksThatAreReadAreCounted() {
    for (int key = 5; key > 0; key--) {
      add(key, 1_000_000);
    }
    assertThat(budget.taken()).isZero();
    Iterator<SortEntry> entries = runs.merged();
    assertThat(budget.taken()).isBetween(12_000_000L, 13_000_000L);
    assertThat(entries.next().document().recordId()).isEqualTo(1);
    runs.delete();
    assertThat(budget.taken()).isZero();
  }

  /** An open cursor waits for its client: what it reads from files it lets go of. */
  @Test
  void blocksAreGivenBackBetweenBatches() {
    for (int run = 0; run < 3; run++) {
      var entries = new ArrayList<SortEntry>();
      for (int key = run; key < 90; key += 3) {
        RawDocument document =
            new BsonBuilder()
                .appendInt32("k", key)
                .appendString("pad", "x".repeat(9_000))
                .toDocument();
        entries.add(new SortEntry(new byte[] {(byte) key}, 0, new SortedDocument(document, key)));
      }
      runs.add(entries.iterator());
    }
    space.suspend();
    Iterator<SortEntry> entries = runs.merged();
    for (int key = 0; key < 90; key++) {
      assertThat(entries.hasNext()).isTrue();
      SortEntry entry = entries.next();
      assertThat(entry.document().recordId()).isEqualTo(key);
      assertThat(budget.taken()).isPositive();
      if (key % 4 != 0) {
        space.suspend();
        space.suspend();
        assertThat(budget.taken()).isZero();
        assertThat(entry.document().document().get("k").asInt32()).isEqualTo(key);
      }
    }
    assertThat(entries.hasNext()).isFalse();
    runs.delete();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void withoutMemoryTheNumberOfFilesStaysSmall() {
    budget.add(2 * budget.bytesMax());
    for (int key = 100; key > 0; key--) {
      add(key, 70_000);
      assertThat(scratch.openFiles()).isLessThan(64);
    }
    assertThat(merged()).hasSize(100).isSorted();
  }

  @Test
  void withoutMemoryTwoAreMergedAtATime() {
    for (int key = 9; key > 0; key--) {
      add(key, 1_000_000);
    }
    budget.add(2 * budget.bytesMax());
    assertThat(merged()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(scratch.openFiles()).isEqualTo(2);
    assertThat(budget.taken() - 2 * budget.bytesMax()).isBetween(6_000_000L, 7_000_000L);
    space.close();
    assertThat(budget.taken()).isEqualTo(2 * budget.bytesMax());
  }
}
