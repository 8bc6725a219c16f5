package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import dev.wisent.query.expression.Frame;

/** What a pipeline makes of the partners that documents have. */
final class PipedPartners implements Partners {
  private final LookupStage stage;
  private final SubPipeline pipeline;
  private final Partners equal;
  private final StageRun run;
  private final boolean constant;
  private final Frame frame;

  PipedPartners(LookupStage stage, SubPipeline pipeline, Partners equal, StageRun run) {
    this.stage = stage;
    this.pipeline = pipeline;
    this.equal = equal;
    this.run = run;
    this.frame = new Frame(run.space().meter());
    this.constant = pipeline.constantStages() == pipeline.stages().size();
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
  public DocumentStream partners() {
    Pipeline stages = pipeline.template();
    if (!constant) {
      RawDocument values = LetVariable.values(stage.let(), frame);
      stages = pipeline.parse(0, pipeline.stages().size(), pipeline.context(values));
    }
    return stages.over(equal.partners(), 0, run);
  }
}
