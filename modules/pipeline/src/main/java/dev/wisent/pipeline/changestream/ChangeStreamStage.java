package dev.wisent.pipeline.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * {@code $changeStream}: the changes of a collection, a database or the deployment as events. The
 * runner of the pipeline makes the events; the other stages run over them.
 *
 * @param source the options as they were written
 * @param resumeAfter the event to go on after; null for none
 * @param startAfter the same, which may also be an invalidate; null for none
 * @param startAtOperationTime the timestamp to begin at; null for none
 */
public record ChangeStreamStage(
    RawDocument source,
    ResumeToken resumeAfter,
    ResumeToken startAfter,
    Long startAtOperationTime,
    FullDocument fullDocument,
    FullDocumentBeforeChange fullDocumentBeforeChange,
    boolean allChangesForCluster,
    boolean showExpandedEvents,
    boolean showSystemEvents,
    boolean showMigrationEvents,
    boolean showRawUpdateDescription)
    implements Stage {
  public static final String NAME = "$changeStream";

  static ChangeStreamStage parse(RawValue argument) {
    return ChangeStreamOptions.parse(argument);
  }

  /** The stage that a pipeline begins with; null if it is another one. */
  public static ChangeStreamStage of(Pipeline pipeline) {
    return !pipeline.stages().isEmpty()
            && pipeline.stages().getFirst() instanceof ChangeStreamStage stream
        ? stream
        : null;
  }

  /** The place to go on after; null for a stream that begins at a time. */
  public ResumeToken resumeToken() {
    return resumeAfter == null ? startAfter : resumeAfter;
  }

  @Override
  public boolean isSource() {
    return true;
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained(NAME, source));
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    var token = new SortPattern.Part(FieldPath.of("_id"), false);
    return new StageSplit.Divided(List.of(this), new SortPattern(List.of(token), null), List.of());
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_RESULT;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    throw new IllegalStateException("the runner of the pipeline makes the events");
  }
}
