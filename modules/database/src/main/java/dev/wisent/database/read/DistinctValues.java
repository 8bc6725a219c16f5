package dev.wisent.database.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathVisitor;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.List;

/**
 * The different values of a path; the elements of an array count one by one. Of those that are
 * equal under the collation the first one that was met stands for all. No more are gathered than a
 * reply can hold.
 */
public final class DistinctValues implements PathVisitor {
  private final KeyTable values = new KeyTable();
  private final IndexKeyV1.Encoder key = new IndexKeyV1.Encoder();

  /** What the values take in a reply. */
  private long bytes;

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
    var all = new ArrayList<RawValue>(values.size());
    for (int i = 0; i < values.size(); i++) {
      all.add(values.value(i));
    }
    return all;
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
    key.reset().append(Collation.key(collation, value), false);
    if (values.find(key.bytes(), key.length()) >= 0) {
      return;
    }
    bytes += elementBytes(values.size(), value);
    if (bytes > Limits.DOCUMENT_BYTES_MAX) {
      throw new CommandException(ErrorCode.DISTINCT_TOO_BIG, "distinct too big, 16mb cap");
    }
    values.put(
        key.bytes(), key.length(), value.type(), value.bytes(), value.offset(), value.length());
  }

  /** An element of an array: type, position as text, value. */
  private static int elementBytes(int position, RawValue value) {
    return 2 + String.valueOf(position).length() + value.length();
  }
}
