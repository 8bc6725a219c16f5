package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import dev.wisent.query.expression.Frame;

/** What a pipeline makes of the matches that documents have. */
final class PipedMatches implements JoinMatches {
  private final LookupStage stage;
  private final SubPipeline pipeline;
  private final JoinMatches equal;
  private final StageRun run;
  private final boolean constant;
  private final Frame frame;

  PipedMatches(LookupStage stage, SubPipeline pipeline, JoinMatches equal, StageRun run) {
    this.stage = stage;
    this.pipeline = pipeline;
    this.equal = equal;
    this.run = run;
    this.frame = new Frame(run.space().meter());
    this.constant = pipeline.isConstant();
  }

  @Override
  public RawDocument next() {
    RawDocument document = equal.next();
    if (document != null) {
      frame.on(document);
    }
    return document;
  }

  @Override
  public DocumentStream matches() {
    Pipeline stages = pipeline.template();
    if (!constant) {
      RawDocument values = LetVariable.values(stage.let(), frame);
      stages = pipeline.parse(0, pipeline.stages().size(), pipeline.context(values));
    }
    return stages.over(equal.matches(), 0, run);
  }
}
