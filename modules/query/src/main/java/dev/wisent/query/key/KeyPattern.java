package dev.wisent.query.key;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** The fields of an index in order, at least one. */
public record KeyPattern(List<Field> fields) {
  /** One path with its direction. */
  public record Field(FieldPath path, boolean descending) {}

  public KeyPattern {
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("a key pattern needs a field");
    }
    fields = List.copyOf(fields);
  }

  /** From a specification like {@code {a: 1, "b.c": -1}} whose values are known to be numbers. */
  public static KeyPattern of(RawDocument specification) {
    var fields = new ArrayList<Field>();
    var cursor = specification.elements();
    while (cursor.next()) {
      fields.add(new Field(FieldPath.of(cursor.name()), cursor.value().toDouble() < 0));
    }
    return new KeyPattern(fields);
  }

  /** The directions, as {@code IndexKeyV1.decode} takes them. */
  public boolean[] descending() {
    boolean[] descending = new boolean[fields.size()];
    for (int i = 0; i < descending.length; i++) {
      descending[i] = fields.get(i).descending();
    }
    return descending;
  }
}
