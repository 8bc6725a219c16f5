package dev.wisent.query.key;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextIndexSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of an index in order, at least one.
 *
 * @param collation whose keys stand in the place of strings; null for strings as they are
 */
public record KeyPattern(List<Field> fields, Collation collation) {
  private static final String HASHED = "hashed";
  private static final String SPHERE = "2dsphere";
  private static final String PLANE = "2d";

  /** What an index has of a field. */
  public enum FieldKind {
    /** Its value. */
    VALUE,
    /** A hash of its value. */
    HASH,
    /** All paths below it, each with its value. */
    WILDCARD,
    /** The terms of the text in all text fields; their scores are the next field. */
    TERM,
    /** The cells of the sphere that a place touches. */
    SPHERE,
    /** The cell of the plane that a point is in. */
    PLANE
  }

  /**
   * One path with its direction.
   *
   * @param path of a wildcard as it is written: {@code $**} or {@code a.$**}
   */
  public record Field(FieldPath path, boolean descending, FieldKind kind) {
    public Field(FieldPath path, boolean descending) {
      this(path, descending, FieldKind.VALUE);
    }
  }

  public KeyPattern {
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("a key pattern needs a field");
    }
    fields = List.copyOf(fields);
  }

  public KeyPattern(List<Field> fields) {
    this(fields, null);
  }

  /** The same with another collation; null for the simple one. */
  public KeyPattern withCollation(Collation other) {
    return new KeyPattern(fields, other);
  }

  /** From a specification like {@code {a: 1, "b.c": -1, d: "hashed"}} that has been checked. */
  public static KeyPattern of(RawDocument specification) {
    var fields = new ArrayList<Field>();
    ElementCursor cursor = specification.elements();
    while (cursor.next()) {
      boolean descending = cursor.value().isNumber() && cursor.value().toDouble() < 0;
      FieldKind kind = kind(cursor.name(), cursor.value());
      fields.add(new Field(FieldPath.of(cursor.name()), descending, kind));
    }
    return new KeyPattern(fields);
  }

  private static FieldKind kind(String name, RawValue value) {
    if (!value.isString()) {
      return WildcardPaths.isWildcard(name) ? FieldKind.WILDCARD : FieldKind.VALUE;
    }
    return switch (value.asString()) {
      case HASHED -> FieldKind.HASH;
      case TextIndexSpec.KIND -> FieldKind.TERM;
      case SPHERE -> FieldKind.SPHERE;
      case PLANE -> FieldKind.PLANE;
      default -> throw new IllegalArgumentException("no kind of index: " + value);
    };
  }

  /** The first field of a kind, or -1. */
  public int fieldOf(FieldKind kind) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).kind() == kind) {
        return i;
      }
    }
    return -1;
  }

  /** The directions of the values of a key, of which a wildcard has two: path and value. */
  public boolean[] descending() {
    int wildcard = fieldOf(FieldKind.WILDCARD);
    boolean[] descending = new boolean[fields.size() + (wildcard < 0 ? 0 : 1)];
    int part = 0;
    for (int i = 0; i < fields.size(); i++) {
      descending[part++] = fields.get(i).descending();
      if (i == wildcard) {
        descending[part++] = fields.get(i).descending();
      }
    }
    return descending;
  }
}
