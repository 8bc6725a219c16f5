package dev.wisent.query.update;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.update.element.TopLevelFields;

/**
 * An update that computes the new document from the old one with stages of a pipeline. What comes
 * out takes the place of the old document, which keeps its _id.
 */
public final class PipelineUpdate implements Update {
  private final UpdatePipeline pipeline;
  private final WorkMeter meter;

  private PipelineUpdate(UpdatePipeline pipeline, WorkMeter meter) {
    this.pipeline = pipeline;
    this.meter = meter;
  }

  static PipelineUpdate parse(RawDocument array, UpdateContext context) {
    QueryContext query = context.query().inUpdate();
    return new PipelineUpdate(context.pipelines().parse(array, query), query.meter());
  }

  @Override
  public UpdateOutcome apply(RawDocument original, MatchDetails details, boolean isInsert) {
    RawDocument result = pipeline.apply(original, new Frame(meter));
    if (result.equals(original)) {
      return UpdateOutcome.unchanged(original);
    }
    TopLevelFields fields = TopLevelFields.of(result);
    RawValue id = fields.id();
    RawDocument arranged =
        id == null || fields.idFirst() ? result : TopLevelFields.arranged(result, id, null);
    // The bytes may belong to an expression, or to a part of the old document.
    return Replacement.replace(original, arranged.detached(), id, isInsert);
  }

  @Override
  public boolean needsMatchDetails() {
    return false;
  }
}
