package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SorterTest {
  private static final SortPattern BY_A = SortPattern.parse(RawDocument.parse("{a: 1}"));
  private static final int DOCUMENTS = 2_000;
  private static final long[] LIMITS = {
    0, 1, 37, DOCUMENTS - 1, DOCUMENTS, DOCUMENTS + 1, Long.MAX_VALUE
  };

  private static RawDocument document(int a) {
    return new BsonBuilder().appendInt32("a", a).toDocument();
  }

  private static SortSpace memory(long bytesMax) {
    return new SortSpace(bytesMax, null, WorkMeter.unchecked());
  }

  private static List<Long> ids(Sorter sorter) {
    var ids = new ArrayList<Long>();
    SortedDocument next;
    while ((next = sorter.next()) != null) {
      ids.add(next.recordId());
    }
    assertThat(sorter.next()).isNull();
    return ids;
  }

  /** Large keys are copied several times; all of that counts, and is given back. */
  @Test
  void copiesOfLargeDocumentsAreCounted() {
    var budget = new MemoryBudget(16 << 20);
    var scratch = new MemoryScratch();
    var space = new SortSpace(Long.MAX_VALUE, scratch, WorkMeter.unchecked(), budget);
    var sorter = new Sorter(SortPattern.parse(RawDocument.parse("{k: 1}")), 0, space);
    long most = 0;
    for (int i = 20; i > 0; i--) {
      String key = (char) ('a' + i) + "x".repeat(1_000_000);
      sorter.add(new BsonBuilder().appendString("k", key).toDocument(), i);
      most = Math.max(most, budget.taken());
    }
    assertThat(sorter.spills()).isPositive();
    assertThat(most).isBetween(6_000_000L, 16L << 20);
    for (int i = 1; i <= 20; i++) {
      assertThat(sorter.next().recordId()).isEqualTo(i);
      space.suspend();
      assertThat(budget.taken()).isZero();
    }
    assertThat(sorter.next()).isNull();
    assertThat(budget.taken()).isZero();
    space.close();
  }

  @Test
  void allDocumentsInOrderAndStable() {
    check(0, SortSpace.inMemory());
  }

  @Test
  void theFirstFewInOrderAndStable() {
    for (long limit : LIMITS) {
      check(limit, SortSpace.inMemory());
    }
  }

  @Test
  void whatExceedsTheMemoryGoesThroughFiles() {
    for (int bytesMax : new int[] {1, 500, 5_000, 50_000}) {
      for (long limit : LIMITS) {
        var scratch = new MemoryScratch();
        check(limit, new SortSpace(bytesMax, scratch, WorkMeter.unchecked()));
        assertThat(scratch.openFiles()).isZero();
      }
    }
  }

  private static Sorter check(long limit, SortSpace space) {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var sorter = new Sorter(BY_A, limit, space);
    var expected = new ArrayList<SortedDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      RawDocument document = document(random.nextInt(50));
      sorter.add(document, i);
      expected.add(new SortedDocument(document, i));
    }
    expected.sort(Comparator.comparing(d -> d.document().get("a"), ValueOrder::compare));
    long wanted = limit == 0 ? DOCUMENTS : Math.min(limit, DOCUMENTS);
    assertThat(ids(sorter))
        .as("seed %d", seed)
        .isEqualTo(
            expected.subList(0, (int) wanted).stream().map(SortedDocument::recordId).toList());
    return sorter;
  }

  @Test
  void documentsOfAnySizeComeBackFromFiles() {
    var scratch = new MemoryScratch();
    var sorter = new Sorter(BY_A, 0, new SortSpace(200_000, scratch, WorkMeter.unchecked()));
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 100; i++) {
      var text = "x".repeat(i % 10 == 0 ? 150_000 + i : i);
      RawDocument document =
          new BsonBuilder().appendInt32("a", 100 - i).appendString("text", text).toDocument();
      documents.addFirst(document);
      sorter.add(document, i);
    }
    assertThat(scratch.created()).isGreaterThan(3);
    for (RawDocument document : documents) {
      assertThat(sorter.next().document()).isEqualTo(document);
    }
    assertThat(sorter.next()).isNull();
  }

  @Test
  void theSpillsAreCounted() {
    var scratch = new MemoryScratch();
    Sorter sorter = check(0, new SortSpace(50_000, scratch, WorkMeter.unchecked()));
    assertThat(sorter.spills()).isEqualTo(scratch.created()).isGreaterThan(2);
    assertThat(sorter.spilledRecords()).isEqualTo(DOCUMENTS);
    assertThat(sorter.spilledBytes()).isGreaterThan(DOCUMENTS * (long) document(0).length());
    assertThat(sorter.bytesSorted()).isGreaterThan(2 * 50_000);

    Sorter small = check(0, SortSpace.inMemory());
    assertThat(small.spills()).isZero();
    assertThat(small.spilledBytes()).isZero();
  }

  @Test
  void manyRunsAreMergedOnTheWay() {
    var scratch = new MemoryScratch();
    var sorter = new Sorter(BY_A, 0, new SortSpace(1, scratch, WorkMeter.unchecked()));
    int most = 0;
    for (int i = 0; i < 5_000; i++) {
      sorter.add(document(i * 7 % 5_000), i);
      most = Math.max(most, scratch.openFiles());
    }
    assertThat(most).isLessThan(100);
    assertThat(ids(sorter)).hasSize(5_000);
  }

  @Test
  void aSortThatEndsEarlyLeavesNoFiles() {
    var scratch = new MemoryScratch();
    try (var space = new SortSpace(1_000, scratch, WorkMeter.unchecked())) {
      var sorter = new Sorter(BY_A, 0, space);
      for (int i = 0; i < 100; i++) {
        sorter.add(document(i), i);
      }
      sorter.next();
      assertThat(scratch.openFiles()).isPositive();
    }
    assertThat(scratch.openFiles()).isZero();
  }

  @Test
  void aFullDiskLeavesNoFiles() {
    var scratch = new MemoryScratch();
    scratch.limit(10_000);
    try (var space = new SortSpace(1_000, scratch, WorkMeter.unchecked())) {
      var sorter = new Sorter(BY_A, 0, space);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < DOCUMENTS; i++) {
                  sorter.add(document(i), i);
                }
              })
          .hasMessage("disk full");
    }
    assertThat(scratch.openFiles()).isZero();
  }

  @Test
  void longMergesCanBeInterrupted() {
    var scratch = new MemoryScratch();
    Runnable interrupt =
        () -> {
          throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
        };
    try (var space = new SortSpace(50_000, scratch, new WorkMeter(interrupt))) {
      var sorter = new Sorter(BY_A, 0, space);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000_000; i++) {
                  sorter.add(document(i), i);
                }
              })
          .hasMessage("operation was interrupted");
    }
    assertThat(scratch.openFiles()).isZero();
  }

  @Test
  void damageIsNoticed() {
    var scratch = new MemoryScratch();
    var sorter = new Sorter(BY_A, 0, new SortSpace(10_000, scratch, WorkMeter.unchecked()));
    for (int i = 0; i < 200; i++) {
      sorter.add(document(i), i);
    }
    scratch.damage(1_000);
    assertThatThrownBy(sorter::next).hasMessageContaining("came back damaged");
  }

  @Test
  void memoryIsBounded() {
    var sorter = new Sorter(BY_A, 0, memory(1_000));
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> {
              for (int i = 0; i < 100; i++) {
                sorter.add(document(i), i);
              }
            });
    assertThat(error)
        .hasMessage(
            "Sort exceeded memory limit of 1000 bytes, but did not opt in to external sorting.");
    assertThat(error.code().code()).isEqualTo(292);
  }

  @Test
  void aLimitKeepsMemorySmall() {
    var sorter = new Sorter(BY_A, 3, memory(1_000));
    for (int i = 10_000; i > 0; i--) {
      sorter.add(document(i), i);
    }
    assertThat(ids(sorter)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void documentsOutliveTheirBuffers() {
    byte[] buffer = document(7).bytes().clone();
    byte[] large = new byte[buffer.length + 10];
    System.arraycopy(buffer, 0, large, 5, buffer.length);
    var sorter = new Sorter(BY_A, 0, SortSpace.inMemory());
    sorter.add(new RawDocument(large, 5, buffer.length), 1);
    Arrays.fill(large, (byte) 0);
    assertThat(sorter.next().document()).isEqualTo(document(7));
  }
}
