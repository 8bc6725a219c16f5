package dev.wisent.query.update;

import java.util.ArrayList;
import java.util.List;

/** Updates to elements of an array that {@code $[]} and {@code $[id]} choose. */
final class ArrayBranch implements PathNode {
  /** Updates to the elements that a filter matches; {@code $[]} has an empty identifier. */
  record Choice(String identifier, ElementCondition filter, PathNode node) {}

  private final List<Choice> choices = new ArrayList<>(2);

  List<Choice> choices() {
    return choices;
  }

  PathNode get(String identifier) {
    for (Choice choice : choices) {
      if (choice.identifier().equals(identifier)) {
        return choice.node();
      }
    }
    return null;
  }

  void put(String identifier, ElementCondition filter, PathNode node) {
    choices.removeIf(choice -> choice.identifier().equals(identifier));
    choices.add(new Choice(identifier, filter, node));
  }
}
