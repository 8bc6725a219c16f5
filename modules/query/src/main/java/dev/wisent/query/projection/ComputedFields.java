package dev.wisent.query.projection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.path.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Computed fields laid over a document, as {@code $addFields} does it: a field that is there keeps
 * its place, others come last. On the way to a nested field arrays are entered, and what is neither
 * a document nor an array makes room for a document.
 */
public final class ComputedFields {
  /** What stands under a name. */
  sealed interface Entry {}

  /** A value; where it is missing, the field goes. */
  record Value(Expression expression) implements Entry {}

  /** Fields of the document below. */
  record Below(ComputedFields fields) implements Entry {}

  static final ComputedFields NONE = new ComputedFields(Map.of());

  private static final int ABSENT = -1;

  private final NameIndex names;
  private final Entry[] entries;

  ComputedFields(Map<String, Entry> fields) {
    names = new NameIndex(fields.keySet());
    entries = fields.values().toArray(Entry[]::new);
  }

  /** Fields with these values; no path may lead into another. */
  public static ComputedFields of(Map<FieldPath, Expression> fields) {
    var tree = new ProjectionTree();
    fields.forEach((path, expression) -> tree.add(path, new FieldAction.Computed(expression)));
    return tree.computed(Expression::optimize);
  }

  /**
   * Appends the fields of a document, with the computed ones, to the document that is open.
   *
   * @param frame has the document that the expressions are about, which may be another
   */
  public void append(RawDocument document, Frame frame, BsonBuilder out) {
    var seen = new boolean[entries.length];
    ElementCursor fields = document.elements();
    int keptFrom = ABSENT;
    int keptTo = ABSENT;
    while (fields.next()) {
      int i = names.find(fields);
      if (i < 0) {
        keptFrom = keptFrom == ABSENT ? fields.elementOffset() : keptFrom;
        keptTo = fields.elementOffset() + fields.elementLength();
      } else {
        copy(fields.bytes(), keptFrom, keptTo, out);
        keptFrom = ABSENT;
        if (!seen[i]) {
          seen[i] = true;
          write(i, fields.value(), frame, out);
        }
      }
    }
    copy(fields.bytes(), keptFrom, keptTo, out);
    for (int i = 0; i < entries.length; i++) {
      if (!seen[i]) {
        write(i, null, frame, out);
      }
    }
  }

  private static void copy(byte[] bytes, int from, int to, BsonBuilder out) {
    if (from != ABSENT) {
      // A document of exactly these elements, if one looks at them only.
      out.appendAll(new RawDocument(bytes, from - 4, to - from + 5));
    }
  }

  /** {@code present} is what the document has; null for nothing. */
  private void write(int i, RawValue present, Frame frame, BsonBuilder out) {
    switch (entries[i]) {
      case Value(Expression expression) -> expression.append(names.name(i), frame, out);
      case Below(ComputedFields fields) -> {
        if (present != null && present.isArray()) {
          out.startArray(names.name(i));
          fields.elements(present, frame, out);
        } else {
          out.startDocument(names.name(i));
          fields.append(orEmpty(present), frame, out);
        }
        out.end();
      }
    }
  }

  private static RawDocument orEmpty(RawValue present) {
    return present != null && present.isDocument() ? present.asDocument() : RawDocument.EMPTY;
  }

  private void elements(RawValue array, Frame frame, BsonBuilder out) {
    ElementCursor elements = array.elements();
    for (int i = 0; elements.next(); i++) {
      if (elements.type() == ElementType.ARRAY) {
        out.startArray(i);
        elements(elements.value(), frame, out);
      } else {
        out.startDocument(i);
        append(orEmpty(elements.value()), frame, out);
      }
      out.end();
    }
  }

  public RawDocument apply(RawDocument document, Frame frame) {
    var out = new BsonBuilder(document.length() + 64);
    append(document, frame, out);
    return out.toDocument();
  }

  /** Appends the expressions under their names, as explain shows them. */
  public void serialize(BsonBuilder out, Predicate<String> wanted) {
    for (int i = 0; i < entries.length; i++) {
      if (!wanted.test(nameText(i))) {
        continue;
      }
      switch (entries[i]) {
        case Value(Expression expression) -> out.append(names.name(i), expression.serialize());
        case Below(ComputedFields fields) -> {
          out.startDocument(names.name(i));
          fields.serialize(out, name -> true);
          out.end();
        }
      }
    }
  }

  /** What the values are computed from, and what has a place kept for them. */
  public void addDependencies(Dependencies dependencies) {
    addDependencies("", dependencies);
  }

  private void addDependencies(String prefix, Dependencies dependencies) {
    for (int i = 0; i < entries.length; i++) {
      switch (entries[i]) {
        case Value(Expression expression) -> expression.addDependencies(dependencies);
        case Below(ComputedFields fields) -> {
          // What is there decides whether the fields are added to it or take its place.
          dependencies.addPath(prefix + nameText(i));
          fields.addDependencies(prefix + nameText(i) + ".", dependencies);
        }
      }
    }
  }

  /** Which paths are written, and with what that other paths had, if it is that. */
  public ChangedPaths changedPaths() {
    return ChangedPaths.of(this);
  }

  void collectPaths(String prefix, Set<String> paths) {
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] instanceof Below(ComputedFields fields)) {
        fields.collectPaths(prefix + nameText(i) + ".", paths);
      } else {
        paths.add(prefix + nameText(i));
      }
    }
  }

  /** Only of top-level fields: on the way to others there may be arrays. */
  void collectRenames(Map<String, String> renames) {
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] instanceof Value(FieldPathExpression field) && field.path().length() == 1) {
        renames.put(nameText(i), field.path().dotted());
      }
    }
  }

  private String nameText(int i) {
    return new String(names.name(i), StandardCharsets.UTF_8);
  }
}
