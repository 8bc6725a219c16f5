package dev.wisent.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SorterTest {
  private static final SortPattern BY_A = SortPattern.parse(RawDocument.parse("{a: 1}"));
  private static final int DOCUMENTS = 2_000;

  private static RawDocument document(int a) {
    return new BsonBuilder().appendInt32("a", a).toDocument();
  }

  private static List<Long> ids(List<SortedDocument> documents) {
    return documents.stream().map(SortedDocument::recordId).toList();
  }

  @Test
  void allDocumentsInOrderAndStable() {
    check(0);
  }

  @Test
  void theFirstFewInOrderAndStable() {
    check(1);
    check(37);
    check(DOCUMENTS - 1);
    check(DOCUMENTS + 1);
    check(Long.MAX_VALUE);
  }

  private static void check(long limit) {
    long seed = System.nanoTime();
    var random = new SplittableRandom(seed);
    var sorter = new Sorter(BY_A, limit);
    var expected = new ArrayList<SortedDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      RawDocument document = document(random.nextInt(50));
      sorter.add(document, i);
      expected.add(new SortedDocument(document, i));
    }
    expected.sort(Comparator.comparing(d -> d.document().get("a"), ValueOrder::compare));
    long wanted = limit == 0 ? DOCUMENTS : Math.min(limit, DOCUMENTS);
    assertThat(ids(sorter.finish()))
        .as("seed %d", seed)
        .isEqualTo(ids(expected.subList(0, (int) wanted)));
    assertThat(sorter.finish()).isEmpty();
  }

  @Test
  void memoryIsBounded() {
    var sorter = new Sorter(BY_A, 0, 1_000);
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
    var sorter = new Sorter(BY_A, 3, 1_000);
    for (int i = 10_000; i > 0; i--) {
      sorter.add(document(i), i);
    }
    assertThat(ids(sorter.finish())).containsExactly(1L, 2L, 3L);
  }

  @Test
  void documentsOutliveTheirBuffers() {
    byte[] buffer = document(7).bytes().clone();
    byte[] large = new byte[buffer.length + 10];
    System.arraycopy(buffer, 0, large, 5, buffer.length);
    var sorter = new Sorter(BY_A, 0);
    sorter.add(new RawDocument(large, 5, buffer.length), 1);
    java.util.Arrays.fill(large, (byte) 0);
    assertThat(sorter.finish().getFirst().document()).isEqualTo(document(7));
  }
}
