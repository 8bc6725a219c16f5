package dev.wisent.query.update;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.AddFieldsStage;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.query.aggregate.ProjectStage;
import dev.wisent.query.aggregate.ReplaceRootStage;
import dev.wisent.query.aggregate.Stage;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.update.element.TopLevelFields;
import java.util.List;

/**
 * An update that computes the new document from the old one with stages of a pipeline. What comes
 * out takes the place of the old document, which keeps its _id.
 */
public final class PipelineUpdate implements Update {
  private final List<Stage> stages;
  private final WorkMeter meter;

  private PipelineUpdate(List<Stage> stages, WorkMeter meter) {
    this.stages = stages;
    this.meter = meter;
  }

  static PipelineUpdate parse(RawDocument array, UpdateContext context) {
    QueryContext query = context.query().inUpdate();
    return new PipelineUpdate(Pipeline.parseForUpdate(array, query).stages(), query.meter());
  }

  @Override
  public UpdateOutcome apply(RawDocument original, MatchDetails details, boolean isInsert) {
    RawDocument result = original;
    var frame = new Frame(meter);
    for (Stage stage : stages) {
      result =
          switch (stage) {
            case AddFieldsStage added -> added.fields().apply(result, frame.on(result));
            case ProjectStage project -> project.projection().apply(result, null);
            case ReplaceRootStage replaced -> replaced.apply(frame.on(result));
            default -> throw new IllegalStateException("no stage of an update: " + stage);
          };
    }
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
