package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.changestream.ResumeToken;
import dev.wisent.pipeline.optimize.NeededFields;
import dev.wisent.pipeline.optimize.Optimizer;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Opens change streams. Thread-safe. */
public final class ChangeStreams {
  private final LongSupplier newest;
  private final SharedTail tail;
  private final CurrentDocuments current;
  private final ChangeImages images;
  private final StageRunner runner;

  /** Runs the stages of a pipeline over the results of another cursor. */
  @FunctionalInterface
  public interface StageRunner {
    /**
     * @param firstStage the stage to begin with
     */
    ResultCursor over(
        ResultCursor input,
        Pipeline pipeline,
        int firstStage,
        OperationContext operation,
        AggregateRequest request);
  }

  /**
   * @param newest the timestamp of the newest entry
   */
  public ChangeStreams(
      LongSupplier newest,
      SharedTail tail,
      CurrentDocuments current,
      ChangeImages images,
      StageRunner runner) {
    this.newest = newest;
    this.tail = tail;
    this.current = current;
    this.images = images;
    this.runner = runner;
  }

  /** Fails if a pipeline begins with a stream that cannot be opened on its namespace. */
  public static void checkNamespace(AggregateRequest request) {
    StreamScope.of(request.namespace(), ChangeStreamStage.of(request.pipeline()));
  }

  /** Opens the stream that a pipeline begins with. */
  public ResultCursor open(OperationContext operation, AggregateRequest request) {
    ChangeStreamStage stage = ChangeStreamStage.of(request.pipeline());
    StreamScope scope = StreamScope.of(request.namespace(), stage);
    ResumeToken start = start(stage, scope);
    Pipeline pipeline = Optimizer.optimize(request.pipeline());
    List<Stage> stages = pipeline.stages().subList(1, pipeline.stages().size());
    var eventImages = new EventImages(stage, images, current, needsFullDocument(stages));
    var settings = StreamSettings.of(stage, scope, stages, eventImages);
    OplogSource source = tail.open(start.clusterTime(), scope);
    try {
      var events = new EventCursor(source, settings, operation);
      ResultCursor results = runner.over(events, pipeline, 1, operation, request);
      operation.planSummary(() -> "COLLSCAN");
      return new ResumableCursor(results, events, newest, start, operation);
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private ResumeToken start(ChangeStreamStage stage, StreamScope scope) {
    ResumeToken token = stage.resumeToken();
    if (token == null) {
      Long time = stage.startAtOperationTime();
      return ResumeToken.highWaterMark(time == null ? newest.getAsLong() + 1 : time);
    }
    if (scope.isCollection() && !token.hasUuid() && !token.isHighWaterMark()) {
      throw new CommandException(
          ErrorCode.INVALID_RESUME_TOKEN,
          "Attempted to resume a single-collection stream, but the resume token does not include a"
              + " UUID");
    }
    return token;
  }

  private static boolean needsFullDocument(List<Stage> stages) {
    Set<String> needed = NeededFields.of(stages);
    return needed == null
        || needed.stream()
            .anyMatch(path -> path.equals("fullDocument") || path.startsWith("fullDocument."));
  }
}
