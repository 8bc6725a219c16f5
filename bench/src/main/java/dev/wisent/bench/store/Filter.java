package dev.wisent.bench.store;

import java.util.List;

/** Conditions on fields, all of which must hold. */
public record Filter(List<Condition> conditions) {
  public Filter {
    conditions = List.copyOf(conditions);
  }

  public static Filter of(Condition... conditions) {
    return new Filter(List.of(conditions));
  }

  /** What is asked of one field; values are {@code Long} or, of text, {@code String}. */
  public sealed interface Condition {
    Field field();
  }

  public record Equal(Field field, Object value) implements Condition {}

  public record AtLeast(Field field, Object from) implements Condition {}

  /** {@code from <= field < to}. */
  public record Between(Field field, Object from, Object to) implements Condition {}

  /** A text in which a regular expression is found. */
  public record Matching(Field field, String pattern) implements Condition {}
}
