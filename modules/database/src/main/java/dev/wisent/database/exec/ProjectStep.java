package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.query.projection.Projection;
import dev.wisent.storage.ReadView;

/** What is sent of a document, or of the values of a key. */
final class ProjectStep extends UnaryStep {
  private final Projection projection;
  private final PositionalFilter filter;
  private final RecordReader reader;

  /** Null where none is asked for. */
  private final RowMetadata metadata;

  /** What is added to whole documents; null where more than that is asked for. */
  private final AddedSortKey addedKey;

  private final BsonBuilder out = new BsonBuilder();
  private ReadView view;
  private RawDocument document;

  ProjectStep(StageStats stats, Step input, PlanNode.Project node, StepContext context) {
    super(stats, input);
    this.projection = node.projection();
    this.filter = projection.needsMatchDetails() ? PositionalFilter.of(context.filter()) : null;
    this.reader = new RecordReader(context.collection());
    this.metadata = RowMetadata.of(node, context.collection());
    this.addedKey = AddedSortKey.of(node);
    this.view = context.view();
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome == Outcome.ADVANCED) {
      RawDocument whole = input.document() != null ? input.document() : fromKey();
      if (addedKey == null || !addedKey.append(whole, input, out)) {
        project(metadata == null ? whole : metadata.on(whole, input));
      }
      document = new RawDocument(out.bytes(), 0, out.position());
    }
    return outcome;
  }

  /** The key of a missing field is null: only the document knows the difference. */
  private RawDocument fromKey() {
    RawDocument key = input.keyDocument();
    ElementCursor values = key.elements();
    while (values.next()) {
      if (values.type() == ElementType.NULL) {
        RawDocument whole = reader.read(view, input.recordId());
        return whole == null ? NestedFields.of(key) : whole;
      }
    }
    return NestedFields.of(key);
  }

  private void project(RawDocument whole) {
    out.reset(0);
    projection.append(whole, filter == null ? null : filter.detailsOf(whole), out);
    out.end();
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  void suspendStep() {
    super.suspendStep();
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    super.resume(newer, under);
    view = newer;
  }
}
