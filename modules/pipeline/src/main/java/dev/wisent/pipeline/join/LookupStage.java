package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * {@code $lookup}: to each document an array of those of another collection that belong to it.
 *
 * @param database null for that of the pipeline
 * @param from the other collection; null if the pipeline makes the documents
 * @param fields by which documents are equal; null if only a pipeline tells
 * @param let the variables of the pipeline
 * @param pipeline what is done with the other documents; null for nothing
 * @param unwind one that follows, and is done at once; null for none
 * @param foreignFilter a filter of the other documents, taken from a {@code $match} that follows
 *     the unwinding; null for none
 * @param context what the stage was parsed with
 */
public record LookupStage(
    String database,
    String from,
    FieldPath as,
    JoinFields fields,
    List<LetVariable> let,
    SubPipeline pipeline,
    UnwindStage unwind,
    RawDocument foreignFilter,
    QueryContext context)
    implements JoinStage {
  static final String NAME = "$lookup";

  /** The fields of the two collections that must have a value in common. */
  record JoinFields(FieldPath local, FieldPath foreign) {}

  @Override
  public LookupStage withUnwind(UnwindStage following) {
    return new LookupStage(
        database, from, as, fields, let, pipeline, following, foreignFilter, context);
  }

  /**
   * Whether a filter on fields of {@link #as}, behind this stage, can be done by it: not if the
   * unwinding tells apart what was not found and what was left out.
   */
  public boolean takesFilter() {
    return unwind != null && !unwind.preserve() && unwind.indexPath() == null;
  }

  /**
   * The same, for those of the other documents only that a filter lets through.
   *
   * @param ofForeign as if it were one of the other collection
   */
  public LookupStage withFilter(RawDocument ofForeign) {
    RawDocument both =
        foreignFilter == null ? ofForeign : EqualityFilter.both(foreignFilter, ofForeign);
    return new LookupStage(database, from, as, fields, let, pipeline, unwind, both, context);
  }

  @Override
  public StageSplit split(QueryContext ofPipeline) {
    return from == null ? new StageSplit.OnShards() : new StageSplit.WithCollection(database, from);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BsonBuilder options() {
    var out = new BsonBuilder();
    appendFrom(database, from, out);
    out.appendString("as", as.dotted());
    if (fields != null) {
      out.appendString("localField", fields.local().dotted());
      out.appendString("foreignField", fields.foreign().dotted());
    }
    if (pipeline != null || foreignFilter != null) {
      out.startDocument("let");
      for (LetVariable variable : let) {
        out.append(variable.name(), variable.expression().serialize());
      }
      out.end();
      out.startArray("pipeline");
      int count = 0;
      for (RawDocument stage : pipeline == null ? List.<RawDocument>of() : pipeline.stages()) {
        out.appendDocument(count++, stage);
      }
      if (foreignFilter != null) {
        out.startDocument(count).appendDocument("$match", foreignFilter).end();
      }
      out.end();
    }
    return out;
  }

  private static void appendFrom(String database, String from, BsonBuilder out) {
    if (database != null) {
      out.startDocument("from").appendString("db", database).appendString("coll", from).end();
    } else if (from != null) {
      out.appendString("from", from);
    }
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    if (fields != null) {
      dependencies.addPath(fields.local().dotted());
    }
    let.forEach(variable -> variable.expression().addDependencies(dependencies));
    return Sight.OF_INPUT;
  }

  @Override
  public String notInFacet() {
    return pipeline == null ? null : pipeline.notInFacet(NAME);
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new JoinedStream(matches(input, run), as, unwind, this::tooLarge);
  }

  private CommandException tooLarge() {
    return new CommandException(
        ErrorCode.LOOKUP_STAGE_TOO_LARGE,
        "Total size of documents in "
            + (from == null ? "$cmd.aggregate" : from)
            + " matching pipeline's $lookup stage exceeds "
            + Limits.GATHERED_BYTES_MAX
            + " bytes");
  }

  private JoinMatches matches(DocumentStream input, StageRun run) {
    if (fields == null || (pipeline != null && pipeline.readsByItself())) {
      return new PipelineMatches(this, ofForeign(), input, run);
    }
    var equal = new EqualityMatches(this, input, run);
    return pipeline == null ? equal : new PipedMatches(this, ofForeign(), equal, run);
  }

  /** The pipeline with the filter that was taken in. */
  private SubPipeline ofForeign() {
    return foreignFilter == null
        ? pipeline
        : pipeline.with(MatchStage.parse(RawValue.ofDocument(foreignFilter), pipeline.context()));
  }

  /** The filter, if the other documents have to pass it before anything is done with them. */
  RawDocument filterAtOnce() {
    return pipeline == null && foreignFilter != null ? foreignFilter : RawDocument.EMPTY;
  }
}
