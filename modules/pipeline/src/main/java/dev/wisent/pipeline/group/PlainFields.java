package dev.wisent.pipeline.group;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.FieldFinder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.ValueStates;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.ValuePath;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields that expressions ask for which are nothing but paths. They are found together, in one
 * walk over a document's bytes, and without objects. Belongs to one run.
 */
final class PlainFields {
  /** Stands for an expression that has to be evaluated. */
  static final int EVALUATED = -1;

  private static final byte MISSING = ValueStates.MISSING;

  private final List<FieldPath> paths = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /** Of each path: which of the names it begins with, and what finds the rest of it. */
  private int[] firsts;

  private FieldFinder[][] nested;
  private FieldFinder finder;

  private byte[] types;
  private byte[][] arrays;
  private int[] offsets;
  private int[] lengths;

  /** The number of an expression's field, or {@link #EVALUATED}. The expression may be null. */
  int add(Expression expression) {
    if (!(expression instanceof FieldPathExpression field)) {
      return EVALUATED;
    }
    int known = paths.indexOf(field.path());
    if (known >= 0) {
      return known;
    }
    paths.add(field.path());
    if (!names.contains(field.path().name(0))) {
      names.add(field.path().name(0));
    }
    return paths.size() - 1;
  }

  /** To be called when all fields are known. */
  void complete() {
    int size = paths.size();
    finder = FieldFinder.of(names);
    firsts = new int[size];
    nested = new FieldFinder[size][];
    types = new byte[size];
    arrays = new byte[size][];
    offsets = new int[size];
    lengths = new int[size];
    for (int i = 0; i < size; i++) {
      FieldPath path = paths.get(i);
      firsts[i] = names.indexOf(path.name(0));
      nested[i] = new FieldFinder[path.length()];
      for (int part = 1; part < path.length(); part++) {
        nested[i][part] = FieldFinder.of(List.of(path.name(part)));
      }
    }
  }

  /** Goes on to a document. */
  void read(RawDocument document) {
    if (firsts.length == 0) {
      return;
    }
    finder.find(document);
    for (int i = 0; i < firsts.length; i++) {
      int first = firsts[i];
      types[i] = finder.type(first);
      arrays[i] = finder.bytes();
      offsets[i] = finder.offset(first);
      lengths[i] = finder.length(first);
      if (nested[i].length > 1) {
        descend(i);
      }
    }
  }

  private void descend(int field) {
    FieldFinder[] parts = nested[field];
    for (int part = 1; part < parts.length; part++) {
      if (types[field] == ElementType.ARRAY) {
        set(field, ValuePath.follow(paths.get(field), part, value(field)));
        return;
      }
      if (types[field] != ElementType.DOCUMENT) {
        types[field] = MISSING;
        return;
      }
      FieldFinder inner = parts[part];
      inner.find(new RawDocument(arrays[field], offsets[field], lengths[field]));
      types[field] = inner.type(0);
      offsets[field] = inner.offset(0);
      lengths[field] = inner.length(0);
    }
  }

  private void set(int field, RawValue value) {
    types[field] = value.type();
    arrays[field] = value.bytes();
    offsets[field] = value.offset();
    lengths[field] = value.length();
  }

  /** The type of a field's value; {@link ValueStates#MISSING} where it is missing. */
  byte type(int field) {
    return types[field];
  }

  byte[] bytes(int field) {
    return arrays[field];
  }

  int offset(int field) {
    return offsets[field];
  }

  int length(int field) {
    return lengths[field];
  }

  /** The value of a field; null where it is missing. */
  RawValue value(int field) {
    return types[field] == MISSING
        ? null
        : new RawValue(types[field], arrays[field], offsets[field], lengths[field]);
  }
}
