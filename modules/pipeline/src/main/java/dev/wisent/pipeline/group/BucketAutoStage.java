package dev.wisent.pipeline.group;

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
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import java.util.List;
import java.util.Set;

/**
 * {@code $bucketAuto}: groups of documents whose values lie together, about as many in each.
 *
 * @param granularity what boundaries are rounded to; null where they are values
 * @param collation how strings compare; null for the simple one
 */
public record BucketAutoStage(
    Expression groupBy,
    int buckets,
    List<GroupField> output,
    Granularity granularity,
    Collation collation)
    implements Stage {
  private static final String NAME = "$bucketAuto";

  private static final RawDocument COUNT =
      new BsonBuilder().startDocument("count").appendInt32("$sum", 1).end().toDocument();

  public BucketAutoStage {
    output = List.copyOf(output);
  }

  static Stage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_NOT_OBJECT,
          "The argument to $bucketAuto must be an object, but found type: "
              + Values.typeName(argument));
    }
    ExpressionParser parser = ExpressionParser.of(context);
    Expression groupBy = null;
    RawValue buckets = null;
    List<GroupField> output = List.of();
    Granularity granularity = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      switch (fields.name()) {
        case "groupBy" -> groupBy = groupBy(value, parser);
        case "buckets" -> buckets = requireInteger(value);
        case "output" -> output = output(value, parser);
        case "granularity" -> granularity = Granularity.parse(value);
        default ->
            throw new CommandException(
                ErrorCode.BUCKET_AUTO_UNKNOWN,
                "Unrecognized option to $bucketAuto: " + fields.name());
      }
    }
    if (groupBy == null || buckets == null) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_INCOMPLETE,
          "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
    }
    if (buckets.toLong() <= 0) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_COUNT_RANGE,
          "The $bucketAuto 'buckets' field must be greater than 0, but found: " + buckets.toLong());
    }
    return new BucketAutoStage(
        groupBy,
        (int) buckets.toLong(),
        output.isEmpty() ? GroupField.parseAll(COUNT, parser) : output,
        granularity,
        context.collation());
  }

  private static Expression groupBy(RawValue value, ExpressionParser parser) {
    if (!BucketStage.isExpression(value) || (value.isString() && value.asString().length() < 2)) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_GROUP_BY,
          "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression"
              + " object, but found: "
              + ValueText.of(value));
    }
    return parser.parse(value).optimize();
  }

  private static RawValue requireInteger(RawValue buckets) {
    if (!buckets.isNumber()) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_COUNT_TYPE,
          "The $bucketAuto 'buckets' field must be a numeric value, but found type: "
              + Values.typeName(buckets));
    }
    if (!Values.isInt32(buckets)) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_COUNT_NOT_INT,
          "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found "
              + ValueText.of(buckets));
    }
    return buckets;
  }

  /** Buckets have no key that something could be computed from before they are filled. */
  private static List<GroupField> output(RawValue output, ExpressionParser parser) {
    if (!output.isDocument()) {
      throw new CommandException(
          ErrorCode.BUCKET_AUTO_OUTPUT_TYPE,
          "The $bucketAuto 'output' field must be an object, but found type: "
              + Values.typeName(output));
    }
    List<GroupField> fields = GroupField.parseAll(output.asDocument(), parser);
    for (GroupField field : fields) {
      Expression initializer = field.accumulator().initializer();
      if (initializer != null && !initializer.isConstant()) {
        throw new CommandException(
            ErrorCode.BUCKET_AUTO_INITIALIZER, "Can't refer to the group key in $bucketAuto");
      }
    }
    return fields;
  }

  @Override
  public boolean dropsMetadata() {
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
    var out = new BsonBuilder().append("groupBy", groupBy.serialize());
    out.appendInt32("buckets", buckets);
    if (granularity != null) {
      out.appendString("granularity", granularity.name());
    }
    out.startDocument("output");
    output.forEach(field -> field.explain(out));
    return List.of(Stage.explained(NAME, out.end().toDocument()));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    groupBy.addDependencies(dependencies);
    output.forEach(field -> field.accumulator().addDependencies(dependencies));
    return Sight.OF_RESULT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    return ModifiedPaths.allBut(Set.of());
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new BucketAutoStream(this, input, run.space());
  }
}
