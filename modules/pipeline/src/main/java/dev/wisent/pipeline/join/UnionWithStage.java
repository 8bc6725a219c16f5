package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Values;
import java.util.List;

/**
 * {@code $unionWith}: behind the documents those of another collection.
 *
 * @param from the other collection; null if the pipeline makes the documents
 */
public record UnionWithStage(String from, SubPipeline pipeline) implements Stage {
  static final String NAME = "$unionWith";

  static UnionWithStage parse(RawValue argument, QueryContext context) {
    if (argument.isString()) {
      String from = ForeignName.of(NAME, argument.asString()).collection();
      return new UnionWithStage(from, pipeline(RawDocument.EMPTY, context));
    }
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "the $unionWith stage specification must be an object or string, but found "
              + Values.typeName(argument));
    }
    String from = null;
    RawDocument stages = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "coll" -> from = name(fields.value());
        case "pipeline" -> stages = SubPipeline.array(fields.value());
        default ->
            throw new CommandException(
                ErrorCode.IDL_UNKNOWN_FIELD,
                "BSON field '$unionWith." + fields.name() + "' is an unknown field.");
      }
    }
    if (from == null) {
      requireDocuments(stages);
    }
    return new UnionWithStage(from, pipeline(stages == null ? RawDocument.EMPTY : stages, context));
  }

  private static String name(RawValue value) {
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '$unionWith.coll' is the wrong type '"
              + Values.typeName(value)
              + "', expected type 'string'");
    }
    return ForeignName.of(NAME, value.asString()).collection();
  }

  private static void requireDocuments(RawDocument stages) {
    ElementCursor elements = stages == null ? null : stages.elements();
    boolean documents =
        elements != null
            && elements.next()
            && elements.value().isDocument()
            && SubPipeline.name(elements.value().asDocument()).equals(DocumentsStage.NAME);
    if (!documents) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "$unionWith stage without explicit collection must have a pipeline with $documents as"
              + " first stage");
    }
  }

  private static SubPipeline pipeline(RawDocument stages, QueryContext context) {
    return SubPipeline.parse(NAME, ErrorCode.STAGE_NOT_IN_UNION, stages, List.of(), context);
  }

  /** The same with a filter of the other documents. */
  public UnionWithStage with(MatchStage match) {
    return new UnionWithStage(from, pipeline.with(match));
  }

  @Override
  public List<RawDocument> serialize() {
    var out = new BsonBuilder();
    if (from != null) {
      out.appendString("coll", from);
    }
    out.appendArray("pipeline", SubPipeline.array(pipeline.stages()));
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.AtMerge(from == null ? MergeSite.ANYWHERE : MergeSite.SHARD);
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder();
    if (from != null) {
      out.appendString("coll", from);
    }
    out.appendArray("pipeline", pipeline.explained());
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  /** What comes in is only passed on. */
  @Override
  public Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_INPUT;
  }

  @Override
  public String notInFacet() {
    return pipeline.notInFacet(NAME);
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    OtherCollection collection = run.collection(null, from, pipeline.context().collation());
    return new DocumentStream() {
      private boolean inputEnded;
      private OpenStream others;

      @Override
      public RawDocument next() {
        if (!inputEnded) {
          RawDocument document = input.next();
          if (document != null) {
            return document;
          }
          inputEnded = true;
          others = collection.open(pipeline.template(), pipeline.context());
        }
        RawDocument other = others == null ? null : others.next();
        if (other == null && others != null) {
          others.close();
          others = null;
        }
        return other;
      }
    };
  }
}
