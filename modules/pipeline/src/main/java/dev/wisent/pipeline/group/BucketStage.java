package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code $bucket}: a {@code $group} by the buckets that values belong to, and a {@code $sort} by
 * their boundaries.
 */
final class BucketStage {
  private static final RawDocument BY_ID = new BsonBuilder().appendInt32("_id", 1).toDocument();

  private static final RawDocument COUNT =
      new BsonBuilder().startDocument("count").appendInt32("$sum", 1).end().toDocument();

  private final QueryContext context;
  private final ExpressionParser parser;
  private RawValue groupBy;
  private List<RawValue> boundaries = List.of();
  private RawValue otherwise;
  private RawDocument output = COUNT;

  private BucketStage(QueryContext context) {
    this.context = context;
    this.parser = ExpressionParser.of(context);
  }

  static List<Stage> parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.BUCKET_NOT_OBJECT,
          "Argument to $bucket stage must be an object, but found type: "
              + Values.typeName(argument)
              + ".");
    }
    var stage = new BucketStage(context);
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      stage.read(fields.name(), fields.value());
    }
    return stage.stages();
  }

  private void read(String name, RawValue value) {
    switch (name) {
      case "groupBy" -> groupBy = requireExpression(value);
      case "boundaries" -> boundaries = boundaries(value);
      case "default" ->
          otherwise =
              constant(
                  value,
                  ErrorCode.BUCKET_DEFAULT_NOT_CONSTANT,
                  "The $bucket 'default' field must be a constant expression, but found: ");
      case "output" -> {
        if (!value.isDocument()) {
          throw new CommandException(
              ErrorCode.BUCKET_OUTPUT_TYPE,
              "The $bucket 'output' field must be an object, but found type: "
                  + Values.typeName(value)
                  + ".");
        }
        output = value.asDocument();
      }
      default ->
          throw new CommandException(
              ErrorCode.BUCKET_UNKNOWN, "Unrecognized option to $bucket: " + name + ".");
    }
  }

  private static RawValue requireExpression(RawValue value) {
    if (!isExpression(value)) {
      throw new CommandException(
          ErrorCode.BUCKET_GROUP_BY,
          "The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but"
              + " found: "
              + ValueText.of(value)
              + ".");
    }
    return value;
  }

  /** Whether a value is a path or an operator. */
  static boolean isExpression(RawValue value) {
    if (value.isString()) {
      return value.asString().startsWith("$");
    }
    ElementCursor fields = value.isDocument() ? value.elements() : RawDocument.EMPTY.elements();
    return fields.next() && fields.nameStartsWith('$');
  }

  private RawValue constant(RawValue value, ErrorCode code, String complaint) {
    Expression expression = parser.parse(value).optimize();
    if (!expression.isConstant()) {
      throw new CommandException(code, complaint + ValueText.of(value) + ".");
    }
    RawValue constant = expression.evaluate(null);
    return constant == null ? RawValue.UNDEFINED : constant.detached();
  }

  private List<RawValue> boundaries(RawValue array) {
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.BUCKET_BOUNDARIES_TYPE,
          "The $bucket 'boundaries' field must be an array, but found type: "
              + Values.typeName(array)
              + ".");
    }
    var values = new ArrayList<RawValue>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      values.add(
          constant(
              elements.value(),
              ErrorCode.BUCKET_BOUNDARY_NOT_CONSTANT,
              "The $bucket 'boundaries' field must be an array of constant values, but found"
                  + " value: "));
    }
    if (values.size() < 2) {
      throw new CommandException(
          ErrorCode.BUCKET_BOUNDARY_COUNT,
          "The $bucket 'boundaries' field must have at least 2 values, but found "
              + values.size()
              + " value(s).");
    }
    for (int i = 1; i < values.size(); i++) {
      checkOrder(i, values.get(i - 1), values.get(i));
    }
    return values;
  }

  private void checkOrder(int i, RawValue lower, RawValue upper) {
    if (ElementType.rank(lower.type()) != ElementType.rank(upper.type())) {
      throw new CommandException(
          ErrorCode.BUCKET_BOUNDARY_TYPES,
          "All values in the the 'boundaries' option to $bucket must have the same type. Found"
              + " conflicting types "
              + Values.typeName(lower)
              + " and "
              + Values.typeName(upper)
              + ".");
    }
    if (Values.compare(context.collation(), lower, upper) >= 0) {
      throw new CommandException(
          ErrorCode.BUCKET_BOUNDARY_ORDER,
          "The 'boundaries' option to $bucket must be sorted, but elements "
              + (i - 1)
              + " and "
              + i
              + " are not in ascending order ("
              + ValueText.of(lower)
              + " is not less than "
              + ValueText.of(upper)
              + ").");
    }
  }

  private List<Stage> stages() {
    if (groupBy == null || boundaries.isEmpty()) {
      throw new CommandException(
          ErrorCode.BUCKET_INCOMPLETE,
          "$bucket requires 'groupBy' and 'boundaries' to be specified.");
    }
    checkDefault();
    Expression whole = parser.parse(RawValue.ofDocument(asSwitch()));
    var id = new BucketExpression(parser.parse(groupBy), boundaries, context.collation(), whole);
    return List.of(
        GroupStage.of(id, GroupField.parseAll(output, parser), context),
        SortStage.parse(RawValue.ofDocument(BY_ID), context));
  }

  private void checkDefault() {
    RawValue lowest = boundaries.getFirst();
    if (otherwise != null
        && ElementType.rank(otherwise.type()) == ElementType.rank(lowest.type())
        && Values.compare(context.collation(), otherwise, lowest) >= 0
        && Values.compare(context.collation(), otherwise, boundaries.getLast()) < 0) {
      throw new CommandException(
          ErrorCode.BUCKET_DEFAULT_INSIDE,
          "The $bucket 'default' field must be less than the lowest boundary or greater than or"
              + " equal to the highest boundary.");
    }
  }

  private RawDocument asSwitch() {
    var out = new BsonBuilder().startDocument("$switch").startArray("branches");
    for (int i = 1; i < boundaries.size(); i++) {
      out.startDocument(i - 1).startDocument("case").startArray("$and");
      compare(0, "$gte", boundaries.get(i - 1), out);
      compare(1, "$lt", boundaries.get(i), out);
      out.end().end().startDocument("then").append("$const", boundaries.get(i - 1)).end().end();
    }
    out.end();
    if (otherwise != null) {
      out.startDocument("default").append("$const", otherwise).end();
    }
    return out.end().toDocument();
  }

  private void compare(int index, String operator, RawValue boundary, BsonBuilder out) {
    out.startDocument(index).startArray(operator).append(0, groupBy);
    out.startDocument(1).append("$const", boundary).end().end().end();
  }
}
