package dev.wisent.pipeline.join;

import dev.wisent.bson.BsonBuilder;
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

  /** Whether the pipeline is the same for every document. */
  private final boolean same;

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
    this.same = pipeline.isConstant();
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
    try (OpenStream first = foreign.open(firstStages(constant, context), context)) {
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

  private Pipeline firstStages(int count, QueryContext context) {
    return same && count == pipeline.stages().size()
        ? pipeline.template()
        : pipeline.parse(0, count, context);
  }

  /** The whole pipeline; a join by fields goes behind a stage that must be first. */
  private Pipeline withFields(QueryContext context) {
    if (stage.fields() == null) {
      return firstStages(pipeline.stages().size(), context);
    }
    var values = new ArrayList<RawValue>();
    JoinValues.forEach(frame.root(), stage.fields().local(), values::add);
    if (values.isEmpty()) {
      values.add(RawValue.NULL);
    }
    RawDocument equal = EqualityFilter.of(stage.fields().foreign().dotted(), values);
    var stages = new ArrayList<>(pipeline.stages());
    stages.add(
        pipeline.hasFirstStage() ? 1 : 0,
        new BsonBuilder().appendDocument("$match", equal).toDocument());
    return Pipeline.parse(SubPipeline.array(stages), context, Place.JOIN);
  }

  private void closeOpen() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
