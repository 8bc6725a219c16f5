package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.update.UpdatePipeline;
import java.util.List;

/**
 * The stages of an update: those that make one document of one.
 *
 * @param stages in order
 */
public record UpdateStages(List<Stage> stages) implements UpdatePipeline {
  public static UpdateStages parse(RawDocument array, QueryContext context) {
    return new UpdateStages(Pipeline.parseForUpdate(array, context).stages());
  }

  @Override
  public RawDocument apply(RawDocument document, Frame frame) {
    RawDocument result = document;
    for (Stage stage : stages) {
      result =
          switch (stage) {
            case AddFieldsStage added -> added.fields().apply(result, frame.on(result));
            case ProjectStage project -> project.projection().apply(result, null);
            case ReplaceRootStage replaced -> replaced.apply(frame.on(result));
            default -> throw new IllegalStateException("no stage of an update: " + stage);
          };
    }
    return result;
  }
}
