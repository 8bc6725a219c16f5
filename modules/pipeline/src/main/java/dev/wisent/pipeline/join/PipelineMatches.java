package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Pipeline.Place;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.DocumentLog;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Frame;
import java.util.ArrayList;
import java.util.List;

/**
 * Matches that only a pipeline can tell, which is run for each document. What its first stages give
 * is the same each time if they read no variable; it is kept then, if there is room.
 */
final class PipelineMatches implements JoinMatches {
  private final LookupStage stage;
  private final SubPipeline pipeline;
  private final DocumentStream input;
  private final StageRun run;
  private final OtherCollection foreign;
  private final Frame frame;
  private final int constant;
  private boolean keeps;
  private DocumentLog kept;
  private OpenStream open;

  PipelineMatches(LookupStage stage, SubPipeline pipeline, DocumentStream input, StageRun run) {
    this.stage = stage;
    this.pipeline = pipeline;
    this.input = input;
    this.run = run;
    this.frame = new Frame(run.space().meter());
    this.foreign = run.collection(stage.database(), stage.from(), stage.context().collation());
    this.constant = pipeline.constantStages();
    this.keeps =
        stage.fields() == null
            && !pipeline.asksForMetadata()
            && (constant > 0 || pipeline.stages().isEmpty());
  }

  @Override
  public RawDocument next() {
    closeOpen();
    RawDocument document = input.next();
    if (document == null) {
      return null;
    }
    frame.on(RawDocument.of(document.toByteArray()));
    return frame.root();
  }

  @Override
  public DocumentStream matches() {
    QueryContext context = pipeline.context(LetVariable.values(stage.let(), frame));
    if (keeps && kept == null) {
      keep(context);
    }
    if (kept == null) {
      open = foreign.open(withFields(context), context);
      return open;
    }
    DocumentStream first = kept.reader()::next;
    int all = pipeline.stages().size();
    return constant == all ? first : pipeline.parse(constant, all, context).over(first, 0, run);
  }

  private void keep(QueryContext context) {
    var log = new DocumentLog(run.space());
    HeldMemory memory = run.space().memory();
    try (OpenStream first = foreign.open(pipeline.parse(0, constant, context), context)) {
      RawDocument document;
      while ((document = first.next()) != null) {
        log.add(document);
        if (!memory.allows(log.memoryBytes())) {
          keeps = false;
          memory.shrink(0);
          return;
        }
      }
    }
    kept = log;
  }

  /** The whole pipeline; a join by fields goes behind a stage that must be first. */
  private Pipeline withFields(QueryContext context) {
    List<RawDocument> stages = pipeline.stages();
    if (stage.fields() != null) {
      var values = new ArrayList<RawValue>();
      JoinValues.forEach(frame.root(), stage.fields().local(), values::add);
      if (values.isEmpty()) {
        values.add(RawValue.NULL);
      }
      stages = new ArrayList<>(stages);
      String path = stage.fields().foreign().dotted();
      stages.add(
          pipeline.hasFirstStage() ? 1 : 0, EqualityFilter.match(EqualityFilter.of(path, values)));
    }
    return Pipeline.parse(SubPipeline.array(stages), context, Place.JOIN);
  }

  private void closeOpen() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
