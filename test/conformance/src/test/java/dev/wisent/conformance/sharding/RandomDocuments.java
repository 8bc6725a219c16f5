package dev.wisent.conformance.sharding;

import java.util.random.RandomGenerator;

/**
 * Random documents and values as JSON. The fields {@code k}, {@code m} and {@code n.p} can be shard
 * keys: they are never arrays. {@code s} and {@code t} are small numbers, or missing; {@code a} and
 * {@code b} are anything, {@code g} is a place and {@code w} are words.
 */
final class RandomDocuments {
  private static final String[] SCALARS = {
    "null",
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "12",
    "1.0",
    "2.5",
    "{$numberLong: '3'}",
    "{$numberDecimal: '2.50'}",
    "'A'",
    "'a'",
    "'b'",
    "'ba'",
    "'\\u00e4'",
    "true",
    "{$date: 1}",
    "{$date: 3}",
    "{x: 1}",
    "{x: 2, y: 1}",
    "{$oid: '000000000000000000000001'}"
  };

  private final RandomGenerator random;

  RandomDocuments(RandomGenerator random) {
    this.random = random;
  }

  /** The fields of a document, but for its {@code _id}. */
  String fields() {
    var out = new StringBuilder();
    append(out, "k", scalar(), 8);
    append(out, "m", scalar(), 8);
    append(out, "n", "{p: " + scalar() + ", q: " + small() + "}", 6);
    append(out, "s", small(), 5);
    append(out, "t", small(), 5);
    append(out, "a", value(), 4);
    append(out, "b", value(), 4);
    append(out, "g", place(), 4);
    append(out, "w", words(), 4);
    return out.toString();
  }

  private String place() {
    return "{type: 'Point', coordinates: [%d, %d]}".formatted(random.nextInt(5), random.nextInt(5));
  }

  private String words() {
    return "'%s %s'".formatted(pick("apple", "apple pear", "pear"), pick("plum", "apple", "nut"));
  }

  /** Appends a field, which is missing in one of so many documents. */
  private void append(StringBuilder out, String name, String value, int missing) {
    if (random.nextInt(missing) > 0) {
      out.append(out.isEmpty() ? "" : ", ").append(name).append(": ").append(value);
    }
  }

  String scalar() {
    return pick(SCALARS);
  }

  String small() {
    return Integer.toString(random.nextInt(5));
  }

  String value() {
    return switch (random.nextInt(4)) {
      case 0 -> "[" + scalar() + ", " + scalar() + "]";
      case 1 -> "[{x: " + scalar() + "}, {x: " + small() + ", y: " + small() + "}]";
      default -> scalar();
    };
  }

  String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
