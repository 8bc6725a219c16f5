package dev.wisent.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A checker that accepts everything proves nothing: these are the things it must refuse. */
class ItemModelTest {

  private final ItemModel model = new ItemModel();

  @Test
  void refusesALostWrite() {
    acknowledge(Change.insert(item("a", 1)));

    assertThatThrownBy(() -> model.reconcile(Map.of())).isInstanceOf(AssertionError.class);
  }

  @Test
  void refusesAStaleUpdate() {
    acknowledge(Change.insert(item("a", 1)));
    acknowledge(Change.update(item("a", 1), item("a", 2)));

    assertThatThrownBy(() -> model.reconcile(Map.of("a", item("a", 1))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void refusesADeletedDocument() {
    acknowledge(Change.insert(item("a", 1)));
    acknowledge(Change.delete(item("a", 1)));

    assertThatThrownBy(() -> model.reconcile(Map.of("a", item("a", 1))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void refusesWhatWasNeverSent() {
    assertThatThrownBy(() -> model.reconcile(Map.of("b", item("b", 1))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void acceptsAWriteUnderWayBothWays() {
    acknowledge(Change.insert(item("a", 1)));
    model.begin(List.of(Change.update(item("a", 1), item("a", 2))), true);
    model.reconcile(Map.of("a", item("a", 2)));
    model.begin(List.of(Change.update(item("a", 2), item("a", 3))), true);
    model.reconcile(Map.of("a", item("a", 2)));

    assertThat(model.size()).isEqualTo(1);
  }

  @Test
  void refusesHalfAWriteUnderWay() {
    acknowledge(Change.insert(item("a", 1)));
    model.begin(List.of(Change.update(item("a", 1), item("a", 3))), true);

    assertThatThrownBy(() -> model.reconcile(Map.of("a", item("a", 2))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void acceptsOnlyAPrefixOfAnOrderedWrite() {
    List<Change> changes = List.of(Change.insert(item("a", 1)), Change.insert(item("b", 1)));
    model.begin(changes, true);

    assertThatThrownBy(() -> model.reconcile(Map.of("b", item("b", 1))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("gap");
    model.reconcile(Map.of("a", item("a", 1)));
    assertThat(model.size()).isEqualTo(1);
  }

  @Test
  void acceptsAnyPartOfAnUnorderedWrite() {
    model.begin(List.of(Change.insert(item("a", 1)), Change.insert(item("b", 1))), false);
    model.reconcile(Map.of("b", item("b", 1)));

    assertThat(model.size()).isEqualTo(1);
  }

  private void acknowledge(Change change) {
    model.begin(List.of(change), true);
    model.acknowledge();
  }

  private static Item item(String id, long n) {
    return new Item(id, 0, 0, n, id, List.of(), "");
  }
}
