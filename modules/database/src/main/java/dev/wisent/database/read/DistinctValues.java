package dev.wisent.database.read;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathVisitor;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The different values of a path; the elements of an array count one by one. */
public final class DistinctValues implements PathVisitor {
  private final Set<ValueKey> seen = new HashSet<>();
  private final List<RawValue> values = new ArrayList<>();

  private DistinctValues() {}

  public static List<RawValue> of(String path, ResultCursor matching) {
    FieldPath parsed = FieldPath.of(path);
    var collector = new DistinctValues();
    RawDocument document;
    while ((document = matching.peek()) != null) {
      PathWalk.find(parsed, RawValue.ofDocument(document), 0, false, collector);
      matching.take();
    }
    return collector.values;
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
    if (!seen.contains(new ValueKey(value))) {
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
