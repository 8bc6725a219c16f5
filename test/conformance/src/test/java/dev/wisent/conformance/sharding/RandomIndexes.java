package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random indexes of the collection {@code c}, as JSON, and hints to them. */
final class RandomIndexes {
  private record Choice(String key, String options) {}

  private static final List<Choice> CHOICES =
      List.of(
          new Choice("{s: 1}", ""),
          new Choice("{s: 1, t: -1}", ""),
          new Choice("{a: 1}", ""),
          new Choice("{'b.y': -1, k: 1}", ""),
          new Choice("{t: 1}", ", sparse: true"),
          new Choice("{m: -1, s: 1}", ", partialFilterExpression: {s: {$gt: 1}}"),
          new Choice("{'n.$**': 1}", ""),
          new Choice("{'n.q': 1, _id: -1}", ""));

  private final RandomGenerator random;
  private final List<Choice> made = new ArrayList<>();

  RandomIndexes(RandomGenerator random) {
    this.random = random;
  }

  /** A command that creates some; null for none. */
  String create() {
    var indexes = new ArrayList<String>();
    for (Choice choice : CHOICES) {
      if (random.nextInt(4) == 0) {
        made.add(choice);
        indexes.add(
            "{key: %s, name: 'i%d'%s}".formatted(choice.key(), made.size(), choice.options()));
      }
    }
    return indexes.isEmpty()
        ? null
        : "{createIndexes: 'c', indexes: [%s]}".formatted(String.join(", ", indexes));
  }

  /** What a find has of a hint; empty where there is no index. */
  String hint() {
    if (made.isEmpty()) {
      return ", hint: {$natural: 1}";
    }
    Choice choice = made.get(random.nextInt(made.size()));
    String bounds =
        choice.key().equals("{s: 1}") && random.nextBoolean() ? ", min: {s: 1}, max: {s: 4}" : "";
    return ", hint: %s%s".formatted(choice.key(), bounds);
  }
}
