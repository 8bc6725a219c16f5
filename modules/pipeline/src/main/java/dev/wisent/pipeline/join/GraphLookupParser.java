package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.path.FieldPath;

/** Reads the arguments of {@code $graphLookup}. */
final class GraphLookupParser {
  private static final long ANY_DEPTH = -1;

  private final QueryContext context;
  private String from;
  private String as = "";
  private Expression startWith;
  private String connectFrom = "";
  private String connectTo = "";
  private long maxDepth = ANY_DEPTH;
  private FieldPath depthField;
  private RawDocument filter = RawDocument.EMPTY;

  private GraphLookupParser(QueryContext context) {
    this.context = context;
  }

  static GraphLookupStage parse(RawValue argument, QueryContext context) {
    require(
        argument.isDocument(),
        ErrorCode.FAILED_TO_PARSE,
        "the $graphLookup stage specification must be an object, but found "
            + Values.typeName(argument));
    require(
        argument.asDocument().get("from") != null,
        ErrorCode.FAILED_TO_PARSE,
        "missing 'from' option to $graphLookup stage specification: " + ValueText.of(argument));
    var parser = new GraphLookupParser(context);
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      parser.read(fields.name(), fields.value());
    }
    return parser.stage();
  }

  private void read(String name, RawValue value) {
    switch (name) {
      case "startWith" -> startWith = ExpressionParser.parse(value, context);
      case "maxDepth" -> maxDepth = depth(value);
      case "restrictSearchWithMatch" -> filter = filter(value);
      case "from" -> from = ForeignName.parse(GraphLookupStage.NAME, value).collection();
      case "as" -> as = string(name, value);
      case "connectFromField" -> connectFrom = string(name, value);
      case "connectToField" -> connectTo = string(name, value);
      case "depthField" -> depthField = FieldPath.strict(string(name, value));
      default ->
          throw new CommandException(
              ErrorCode.GRAPH_LOOKUP_STAGE_UNKNOWN, "Unknown argument to $graphLookup: " + name);
    }
  }

  private static String string(String name, RawValue value) {
    require(
        value.isString(),
        ErrorCode.GRAPH_LOOKUP_STAGE_NOT_STRING,
        "expected string as argument for " + name + ", found: " + Values.typeName(value));
    return value.asString();
  }

  private static long depth(RawValue value) {
    require(
        value.isNumber(),
        ErrorCode.GRAPH_LOOKUP_STAGE_DEPTH_NOT_NUMBER,
        "maxDepth must be numeric, found type: " + Values.typeName(value));
    long depth = value.toLong();
    require(
        depth >= 0,
        ErrorCode.GRAPH_LOOKUP_STAGE_DEPTH_NEGATIVE,
        "maxDepth requires a nonnegative argument, found: " + depth);
    require(
        Values.isInt64(value),
        ErrorCode.GRAPH_LOOKUP_STAGE_DEPTH_NOT_WHOLE,
        "maxDepth could not be represented as a long long: " + depth);
    return depth;
  }

  private RawDocument filter(RawValue value) {
    require(
        value.isDocument(),
        ErrorCode.GRAPH_LOOKUP_STAGE_FILTER_NOT_OBJECT,
        "restrictSearchWithMatch must be an object, found " + Values.typeName(value));
    try {
      MatchParser.parse(value.asDocument(), context);
    } catch (CommandException e) {
      throw e.during("Failed to parse 'restrictSearchWithMatch' option to $graphLookup");
    }
    return value.asDocument();
  }

  private GraphLookupStage stage() {
    require(
        from != null
            && !as.isEmpty()
            && startWith != null
            && !connectFrom.isEmpty()
            && !connectTo.isEmpty(),
        ErrorCode.GRAPH_LOOKUP_STAGE_MISSING,
        "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField'"
            + " to be specified.");
    // One pipeline more, as every join is.
    context.deeper();
    return new GraphLookupStage(
        from,
        FieldPath.strict(as),
        startWith,
        FieldPath.strict(connectFrom),
        FieldPath.strict(connectTo),
        maxDepth,
        depthField,
        filter,
        null,
        context);
  }

  private static void require(boolean condition, ErrorCode code, String message) {
    if (!condition) {
      throw new CommandException(code, message);
    }
  }
}
