package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.metadata.Metadata;
import java.util.List;

/**
 * {@code $replaceRoot} and {@code $replaceWith}: another document in the place of each.
 *
 * @param what how messages call the expression
 */
public record ReplaceRootStage(Expression expression, String what) implements Stage {
  private static final String WITH = "'replacement document'";

  static Stage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.REPLACE_ROOT_NOT_OBJECT,
          "expected an object as specification for $replaceRoot stage, got "
              + Values.typeName(argument));
    }
    RawValue newRoot = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      if (!fields.name().equals("newRoot")) {
        throw new CommandException(
            ErrorCode.IDL_UNKNOWN_FIELD,
            "BSON field '$replaceRoot." + fields.name() + "' is an unknown field.");
      }
      newRoot = fields.value();
    }
    if (newRoot == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field '$replaceRoot.newRoot' is missing but a required field");
    }
    return of(newRoot, "'newRoot' expression ", context);
  }

  static Stage parseWith(RawValue argument, QueryContext context) {
    return of(argument, WITH, context);
  }

  private static Stage of(RawValue argument, String what, QueryContext context) {
    Expression expression = ExpressionParser.of(context).parse(argument);
    try {
      return new ReplaceRootStage(expression.optimizeIn(context), what);
    } catch (CommandException e) {
      throw e.during("Failed to optimize pipeline");
    }
  }

  /** The document that takes the place of the frame's. */
  public RawDocument apply(Frame frame) {
    RawValue value = expression.evaluate(frame);
    if (value == null || !value.isDocument()) {
      throw new CommandException(
          ErrorCode.REPLACE_ROOT_RESULT,
          what
              + " must evaluate to an object, but resulting value was: "
              + (value == null ? "MISSING" : ValueText.of(value))
              + ". Type of resulting value: '"
              + Values.typeName(value)
              + "'. Input document: "
              + ValueText.of(Metadata.remove(frame.root())));
    }
    return value.asDocument();
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    expression.addDependencies(dependencies);
    return Sight.OF_RESULT;
  }

  @Override
  public boolean keepsCount() {
    return true;
  }

  @Override
  public List<RawDocument> serialize() {
    return what.equals(WITH)
        ? List.of(new BsonBuilder().append("$replaceWith", expression.serialize()).toDocument())
        : explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.OnShards();
  }

  @Override
  public List<RawDocument> explained() {
    var newRoot = new BsonBuilder().append("newRoot", expression.serialize());
    return List.of(Stage.explained("$replaceRoot", newRoot.toDocument()));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    var frame = new Frame(run.space().meter());
    return () -> {
      RawDocument document = input.next();
      return document == null ? null : apply(frame.on(document));
    };
  }
}
