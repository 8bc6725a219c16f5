package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** The key that a row was found by instead of its document; nothing where there is no key. */
final class ReturnKeyStep extends UnaryStep {
  private final List<String> sortKeyFields;

  /** Null where no keys of a sort are asked for. */
  private final ShownSortKeys sortKeys;

  private RawDocument document;

  ReturnKeyStep(StageStats stats, Step input, PlanNode.ReturnKey node) {
    super(stats, input);
    this.sortKeyFields = node.sortKeyFields();
    this.sortKeys = sortKeyFields.isEmpty() ? null : new ShownSortKeys(node.sort());
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome == Outcome.ADVANCED) {
      RawDocument key = RowMetadata.indexKey(input);
      document = withSortKeys(key == null ? RawDocument.EMPTY : key);
    }
    return outcome;
  }

  private RawDocument withSortKeys(RawDocument key) {
    if (sortKeys == null) {
      return key;
    }
    RawValue values = sortKeys.of(input);
    RawDocument result = key;
    for (String field : sortKeyFields) {
      result = with(result, FieldPath.of(field), 0, values);
    }
    return result;
  }

  /** A value at a path, in the documents on the way there; what else is there makes room. */
  private static RawDocument with(RawDocument document, FieldPath path, int part, RawValue value) {
    String name = path.name(part);
    RawValue set = value;
    if (part + 1 < path.length()) {
      RawValue there = document.get(name);
      boolean opens = there != null && there.isDocument();
      RawDocument inner = opens ? there.asDocument() : RawDocument.EMPTY;
      set = RawValue.ofDocument(with(inner, path, part + 1, value));
    }
    var out = new BsonBuilder(document.length() + set.length());
    ElementCursor fields = document.elements();
    boolean replaced = false;
    while (fields.next()) {
      boolean same = fields.name().equals(name);
      out.append(fields.name(), same ? set : fields.value());
      replaced |= same;
    }
    return (replaced ? out : out.append(name, set)).toDocument();
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
