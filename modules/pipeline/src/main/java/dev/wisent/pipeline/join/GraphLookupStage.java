package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $graphLookup}: to each document an array of all that can be reached from it.
 *
 * @param startWith the values to begin with
 * @param connectFrom where a document has the values that lead on
 * @param connectTo where a document has the value that leads to it
 * @param maxDepth negative for any
 * @param depthField where it is written how far a document is; null for nowhere
 * @param foreignFilter a filter of the documents to be reached; empty for all
 * @param unwind one that follows, and is done at once; null for none
 * @param context what the stage was parsed with
 */
public record GraphLookupStage(
    String from,
    FieldPath as,
    Expression startWith,
    FieldPath connectFrom,
    FieldPath connectTo,
    long maxDepth,
    FieldPath depthField,
    RawDocument foreignFilter,
    UnwindStage unwind,
    QueryContext context)
    implements JoinStage {
  static final String NAME = "$graphLookup";

  @Override
  public GraphLookupStage withUnwind(UnwindStage following) {
    return new GraphLookupStage(
        from,
        as,
        startWith,
        connectFrom,
        connectTo,
        maxDepth,
        depthField,
        foreignFilter,
        following,
        context);
  }

  @Override
  public StageSplit split(QueryContext ofPipeline) {
    return new StageSplit.WithCollection(null, from);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BsonBuilder options() {
    var out = new BsonBuilder();
    out.appendString("from", from);
    out.appendString("as", as.dotted());
    out.appendString("connectToField", connectTo.dotted());
    out.appendString("connectFromField", connectFrom.dotted());
    out.append("startWith", startWith.serialize());
    if (depthField != null) {
      out.appendString("depthField", depthField.dotted());
    }
    if (maxDepth >= 0) {
      out.appendInt64("maxDepth", maxDepth);
    }
    if (!foreignFilter.isEmpty()) {
      out.appendDocument("restrictSearchWithMatch", foreignFilter);
    }
    return out;
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    startWith.addDependencies(dependencies);
    return Sight.OF_INPUT;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new JoinedStream(
        new GraphMatches(this, input, run), as, unwind, GraphLookupStage::tooLarge);
  }

  private static CommandException tooLarge() {
    return new CommandException(
        ErrorCode.BSON_OBJECT_TOO_LARGE,
        "The result of $graphLookup for one document exceeds "
            + Limits.GATHERED_BYTES_MAX
            + " bytes");
  }
}
