package dev.wisent.database.read;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathVisitor;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The different values of a path; the elements of an array count one by one. Of those that are
 * equal under the collation the first one that was met stands for all.
 */
public final class DistinctValues implements PathVisitor {
  private final Set<ValueKey> seen = new HashSet<>();
  private final List<RawValue> values = new ArrayList<>();

  private final String path;
  private final FieldPath parsed;
  private final Collation collation;

  /**
   * @param collation null for the simple one
   */
  public DistinctValues(String path, Collation collation) {
    this.path = path;
    this.parsed = FieldPath.of(path);
    this.collation = collation;
  }

  public static List<RawValue> of(String path, RunningPlan matching, Collation collation) {
    var collector = new DistinctValues(path, collation);
    while (matching.next()) {
      RawDocument document = matching.document();
      if (document != null) {
        collector.addFrom(document);
      } else {
        collector.addFromKey(matching.keyDocument());
      }
    }
    return collector.values();
  }

  public static List<RawValue> of(String path, ResultCursor documents, Collation collation) {
    var collector = new DistinctValues(path, collation);
    for (RawDocument document; (document = documents.peek()) != null; documents.take()) {
      collector.addFrom(document);
    }
    return collector.values();
  }

  public void addFrom(RawDocument document) {
    PathWalk.find(parsed, RawValue.ofDocument(document), 0, false, this);
  }

  /** A key has the elements of arrays one by one already. */
  private void addFromKey(RawDocument key) {
    add(key.get(path));
  }

  public List<RawValue> values() {
    return values;
  }

  @Override
  public boolean visit(RawValue value) {
    if (value == null) {
      return false;
    }
    if (value.isArray()) {
      ElementCursor elements = value.elements();
      while (elements.next()) {
        add(elements.value());
      }
    } else {
      add(value);
    }
    return false;
  }

  private void add(RawValue value) {
    if (collation != null && Collation.affects(value.type())) {
      if (seen.add(new ValueKey(collation.key(value)))) {
        values.add(value.detached());
      }
    } else if (!seen.contains(new ValueKey(value))) {
      RawValue own = new RawValue(value.type(), copy(value), 0, value.length());
      seen.add(new ValueKey(own));
      values.add(own);
    }
  }

  private static byte[] copy(RawValue value) {
    return java.util.Arrays.copyOfRange(
        value.bytes(), value.offset(), value.offset() + value.length());
  }
}
