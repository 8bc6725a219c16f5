package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.OutStage;

/**
 * A cursor that takes documents instead of giving them. What they are gathered in goes with it,
 * unless they are complete.
 */
final class GatheringCursor implements ResultCursor {
  /** Without a word of the router for so long, it is gone. */
  static final long IDLE_MILLIS_MAX = 20_000;

  private final PipelineRun run;
  private final DocumentSink sink;
  private final Clock clock;
  private final long idleMillisMax;
  private boolean attached = true;

  GatheringCursor(PipelineRun run, OutStage stage, OperationContext operation, long idleMillisMax) {
    this.run = run;
    this.idleMillisMax = idleMillisMax;
    this.clock = operation.clock();
    this.sink = run.output().replace(stage);
  }

  void add(RawDocument document) {
    sink.add(document);
  }

  void complete() {
    sink.complete();
  }

  @Override
  public void attach(OperationContext operation) {
    run.attach(operation);
    attached = true;
  }

  @Override
  public void detach() {
    run.detach();
    attached = false;
  }

  @Override
  public RawDocument peek() {
    return null;
  }

  @Override
  public void take() {
    throw new IllegalStateException("there is nothing to take");
  }

  @Override
  public boolean isExhausted() {
    return true;
  }

  @Override
  public long idleMillisMax() {
    return idleMillisMax;
  }

  @Override
  public void close() {
    if (!attached) {
      run.attach(OperationContext.internal(clock));
    }
    sink.close();
    run.close();
  }
}
