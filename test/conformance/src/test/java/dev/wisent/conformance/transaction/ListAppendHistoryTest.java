package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.transaction.ListOperation.Append;
import dev.wisent.conformance.transaction.ListOperation.Read;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every anomaly that the checker is there for, in a made-up history. */
class ListAppendHistoryTest {

  private final ListAppendHistory history = new ListAppendHistory();
  private int count;

  private void committed(ListOperation... operations) {
    add(Outcome.COMMITTED, operations);
  }

  private void add(Outcome outcome, ListOperation... operations) {
    history.add(new ListTransaction("T" + ++count, outcome, Arrays.asList(operations)));
  }

  private static Append append(String key, long value) {
    return new Append(key, value);
  }

  private static Read read(String key, Long... values) {
    return new Read(key, List.of(values));
  }

  private void assertFound(String anomaly, Map<String, List<Long>> finalLists) {
    assertThat(history.check(finalLists)).singleElement().asString().startsWith(anomaly);
  }

  @Test
  void aSerialHistoryIsFine() {
    committed(append("x", 1), append("y", 2));
    committed(read("x", 1L), append("x", 3), read("x", 1L, 3L));
    committed(read("y", 2L), read("x", 1L, 3L));
    add(Outcome.ABORTED, append("x", 9));
    add(Outcome.UNKNOWN, append("y", 4), append("x", 5));
    add(Outcome.UNKNOWN, append("y", 6));

    Map<String, List<Long>> end = Map.of("x", List.of(1L, 3L, 5L), "y", List.of(2L, 4L));
    assertThat(history.check(end)).isEmpty();
    assertThat(history.hasWriteSkew(end)).isFalse();
  }

  @Test
  void dirtyWriteIsG0() {
    committed(append("x", 1), append("y", 2));
    committed(append("x", 3), append("y", 4));

    assertFound("G0", Map.of("x", List.of(1L, 3L), "y", List.of(4L, 2L)));
  }

  @Test
  void aListInTwoPartsIsG0() {
    committed(append("x", 1), append("x", 2));
    committed(append("x", 3));

    assertFound("G0", Map.of("x", List.of(1L, 3L, 2L)));
  }

  @Test
  void readOfAnAbortedValueIsG1a() {
    add(Outcome.ABORTED, append("x", 1));
    committed(read("x", 1L));

    assertThat(history.check(Map.of())).anyMatch(text -> text.startsWith("G1a"));
  }

  @Test
  void anAbortedValueDoesNotStay() {
    add(Outcome.ABORTED, append("x", 1));

    assertFound("an aborted transaction is there", Map.of("x", List.of(1L)));
  }

  @Test
  void readOfAnIntermediateValueIsG1b() {
    committed(append("x", 1), append("x", 2));
    committed(read("x", 1L));

    assertFound("G1b", Map.of("x", List.of(1L, 2L)));
  }

  @Test
  void circularInformationFlowIsG1c() {
    committed(append("x", 1), read("y", 2L));
    committed(append("y", 2), read("x", 1L));

    assertFound("G1c", Map.of("x", List.of(1L), "y", List.of(2L)));
  }

  @Test
  void circularFlowOfAWriteAndAReadIsG1c() {
    committed(append("x", 1), read("y", 3L));
    committed(append("x", 2), append("y", 3));

    assertFound("G1c", Map.of("x", List.of(1L, 2L), "y", List.of(3L)));
  }

  @Test
  void readSkewIsGSingle() {
    committed(append("x", 1), append("y", 2));
    committed(read("x"), read("y", 2L));

    assertFound("G-single", Map.of("x", List.of(1L), "y", List.of(2L)));
  }

  @Test
  void aLostUpdateIsGSingle() {
    committed(append("x", 1));
    committed(read("x", 1L), append("x", 2));
    committed(read("x", 1L), append("x", 3));

    assertFound("G-single", Map.of("x", List.of(1L, 2L, 3L)));
  }

  @Test
  void aLongForkIsFound() {
    committed(append("x", 1));
    committed(append("y", 2));
    committed(read("x", 1L), read("y"));
    committed(read("x"), read("y", 2L));

    assertFound("G-nonadjacent", Map.of("x", List.of(1L), "y", List.of(2L)));
  }

  @Test
  void writeSkewIsAllowedAndNoted() {
    committed(read("x"), append("y", 1));
    committed(read("y"), append("x", 2));

    Map<String, List<Long>> end = Map.of("x", List.of(2L), "y", List.of(1L));
    assertThat(history.check(end)).isEmpty();
    assertThat(history.hasWriteSkew(end)).isTrue();
  }

  @Test
  void aLostAppendIsFound() {
    committed(append("x", 1), append("y", 2));

    assertFound("lost", Map.of("x", List.of(1L)));
  }

  @Test
  void halfOfATransactionOfUnknownOutcomeIsFound() {
    add(Outcome.UNKNOWN, append("x", 1), append("y", 2));

    assertFound("a part is missing", Map.of("x", List.of(1L)));
  }

  @Test
  void anAppendThatWasDoneTwiceIsFound() {
    committed(append("x", 1));

    assertThat(history.check(Map.of("x", List.of(1L, 1L))))
        .anyMatch(text -> text.startsWith("a value is twice"));
  }

  @Test
  void aValueThatWasNeverAppendedIsFound() {
    assertFound("x has 7", Map.of("x", List.of(7L)));
  }

  @Test
  void ownAppendsAreSeen() {
    committed(append("x", 1), read("x"));

    assertFound("internal", Map.of("x", List.of(1L)));
  }

  @Test
  void readsOfATransactionAreRepeatable() {
    committed(append("x", 1));
    committed(read("x"), read("x", 1L));

    assertFound("internal", Map.of("x", List.of(1L)));
  }

  @Test
  void readsAgreeOnTheOrder() {
    committed(append("x", 1));
    committed(append("x", 2));
    committed(read("x", 2L, 1L));

    assertThat(history.check(Map.of("x", List.of(1L, 2L))))
        .anyMatch(text -> text.contains("in the end, but was seen by"));
  }

  @Test
  void aCycleIsFoundAmongThousands() {
    Random random = new Random(1);
    List<Long> x = new java.util.ArrayList<>();
    List<Long> y = new java.util.ArrayList<>();
    for (long value = 1; value <= 20_000; value++) {
      List<Long> list = random.nextBoolean() ? x : y;
      String key = list == x ? "x" : "y";
      // Reads of the last values only: a history of whole lists would be as large as its square.
      committed(append(key, value));
      list.add(value);
    }
    assertThat(history.check(Map.of("x", x, "y", y))).isEmpty();
    committed(append("x", 30_000), append("y", 30_001));
    x.addFirst(30_000L);
    y.add(30_001L);
    committed(append("x", 30_002), append("y", 30_003));
    x.add(30_002L);
    y.addFirst(30_003L);
    assertFound("G0", Map.of("x", x, "y", y));
  }
}
