package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
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
    var out = new BsonBuilder().appendAll(key);
    sortKeyFields.forEach(field -> out.append(field, values));
    return out.toDocument();
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
