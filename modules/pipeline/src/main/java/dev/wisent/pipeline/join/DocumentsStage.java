package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.List;

/** {@code $documents}: documents that the pipeline brings along. */
public record DocumentsStage(Expression expression) implements Stage {
  static final String NAME = "$documents";

  static DocumentsStage parse(RawValue argument, QueryContext context) {
    return new DocumentsStage(ExpressionParser.of(context).parse(argument).optimize());
  }

  @Override
  public boolean isSource() {
    return true;
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.AtMerge(MergeSite.ANYWHERE);
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(new BsonBuilder().append(NAME, expression.serialize()).toDocument());
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_RESULT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    return ModifiedPaths.ALL;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new DocumentStream() {
      private ElementCursor elements;

      @Override
      public RawDocument next() {
        if (elements == null) {
          elements = array(new Frame(run.space().meter())).elements();
        }
        return elements.next() ? document(elements.value()) : null;
      }
    };
  }

  private RawValue array(Frame frame) {
    RawValue value = expression.evaluate(frame);
    if (value == null || !value.isArray()) {
      throw new CommandException(ErrorCode.DOCUMENTS_STAGE_NOT_ARRAY, "an array is expected");
    }
    return value;
  }

  private static RawDocument document(RawValue value) {
    if (!value.isDocument()) {
      throw new CommandException(
          ErrorCode.REPLACE_ROOT_RESULT,
          "'newRoot' expression  must evaluate to an object, but resulting value was: "
              + ValueText.of(value)
              + ". Type of resulting value: '"
              + Values.typeName(value)
              + "'.");
    }
    return value.asDocument();
  }
}
