package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.cursor.PlannedCursor;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;

/**
 * The results of a pipeline over those of another cursor. Where that one has no more for now, nor
 * has the pipeline; its stages must all take documents one by one then.
 */
public final class PipelineCursor implements PlannedCursor {
  private final ResultCursor input;
  private final DocumentStream stages;
  private final PipelineRun run;
  private RawDocument ahead;
  private boolean ended;

  /**
   * @param firstStage the stage to begin with; those before are done by the input
   * @param run what the stages may use; closed with the cursor
   */
  public PipelineCursor(ResultCursor input, Pipeline pipeline, int firstStage, PipelineRun run) {
    this.input = input;
    this.run = run;
    this.stages = pipeline.over(this::nextInput, firstStage, run);
  }

  private RawDocument nextInput() {
    RawDocument document = input.peek();
    if (document != null) {
      input.take();
    }
    return document;
  }

  @Override
  public RawDocument peek() {
    if (ahead == null && !ended) {
      ahead = stages.next();
      ended = ahead == null && (!input.isTailable() || input.isExhausted());
      if (ahead != null) {
        ResultCursor.requireReplySize(ahead);
      }
    }
    return ahead;
  }

  @Override
  public void take() {
    ahead = null;
  }

  @Override
  public boolean isExhausted() {
    return ended;
  }

  @Override
  public boolean isTailable() {
    return input.isTailable();
  }

  @Override
  public void attach(OperationContext operation) {
    input.attach(operation);
    run.attach(operation);
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = RawDocument.of(ahead.toByteArray());
    }
    run.detach();
    input.detach();
  }

  @Override
  public PlanNode plan() {
    return PlannedCursor.planOf(input);
  }

  @Override
  public void close() {
    run.close();
    input.close();
  }
}
