package dev.wisent.conformance.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** What one writer knows about its own documents. */
final class ItemModel {

  private final Map<String, Item> acknowledged = new LinkedHashMap<>();
  private List<Change> underWay = List.of();
  private boolean inOrder;

  /**
   * Called before a write is sent.
   *
   * @param changes one for each document concerned
   * @param ordered whether the server does them in this order, so that a crash leaves a prefix
   */
  void begin(List<Change> changes, boolean ordered) {
    if (!underWay.isEmpty()) {
      throw new IllegalStateException("a write is under way already");
    }
    underWay = List.copyOf(changes);
    inOrder = ordered;
  }

  /** The server said that the write is done. */
  void acknowledge() {
    for (Change change : underWay) {
      put(acknowledged, change.id(), change.after());
    }
    underWay = List.of();
  }

  /** The server refused the write as a whole. */
  void refuse() {
    underWay = List.of();
  }

  int size() {
    return acknowledged.size();
  }

  Item any(RandomGenerator random) {
    return acknowledged.values().stream()
        .skip(random.nextInt(acknowledged.size()))
        .findFirst()
        .orElseThrow();
  }

  List<Item> ofGroup(int group) {
    return acknowledged.values().stream().filter(item -> item.group() == group).toList();
  }

  /** Compares with what the server has, and goes on from there. */
  void reconcile(Map<String, Item> actual) {
    Map<String, Item> after = new HashMap<>(acknowledged);
    List<Boolean> applied = new ArrayList<>();
    for (Change change : underWay) {
      boolean done = Objects.equals(actual.get(change.id()), change.after());
      applied.add(done);
      put(after, change.id(), done ? change.after() : change.before());
    }
    requireSame(after, actual);
    boolean gap = applied.contains(false) && applied.lastIndexOf(true) > applied.indexOf(false);
    if (inOrder && gap) {
      throw new AssertionError(
          "an ordered write was applied with a gap: " + applied + " of " + underWay);
    }
    acknowledged.clear();
    acknowledged.putAll(actual);
    underWay = List.of();
  }

  private void requireSame(Map<String, Item> expected, Map<String, Item> actual) {
    TreeSet<String> ids = new TreeSet<>(expected.keySet());
    ids.addAll(actual.keySet());
    for (String id : ids) {
      if (!Objects.equals(expected.get(id), actual.get(id))) {
        throw new AssertionError(
            "document %s: acknowledged %s, under way %s, found %s"
                .formatted(id, acknowledged.get(id), underWay, actual.get(id)));
      }
    }
  }

  private static void put(Map<String, Item> items, String id, Item item) {
    if (item == null) {
      items.remove(id);
    } else {
      items.put(id, item);
    }
  }
}
