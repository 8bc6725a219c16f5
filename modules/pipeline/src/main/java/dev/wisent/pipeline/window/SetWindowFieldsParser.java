package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.AddFieldsStage;
import dev.wisent.pipeline.ProjectStage;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.projection.ComputedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code $setWindowFields}. It becomes a sort by partition and order, and a stage that goes
 * over sorted documents; a partition that is computed becomes a field for that time.
 */
final class SetWindowFieldsParser {
  private static final String NAME = "$setWindowFields";

  /** Where a computed partition is while it is sorted by. */
  private static final String PARTITION_KEY = "__internal_setWindowFields_partition_key";

  private final QueryContext context;
  private final ExpressionParser expressions;

  private SetWindowFieldsParser(QueryContext context) {
    this.context = context;
    this.expressions = ExpressionParser.of(context);
  }

  static List<Stage> parse(RawValue argument, QueryContext context) {
    SpecFields spec =
        SpecFields.readStage(NAME, "the ", argument, Set.of("partitionBy", "sortBy", "output"));
    return new SetWindowFieldsParser(context)
        .stages(
            spec.get("partitionBy"),
            spec.get("sortBy", ElementType.DOCUMENT),
            spec.require("output", ElementType.DOCUMENT).asDocument());
  }

  /** Reads the stage that goes over sorted documents. */
  static Stage parseSorted(RawValue argument, QueryContext context) {
    SpecFields spec =
        SpecFields.readStage(NAME, "the ", argument, Set.of("partitionBy", "sortBy", "output"));
    var parser = new SetWindowFieldsParser(context);
    RawValue partitionBy = spec.get("partitionBy");
    RawValue sortBy = spec.get("sortBy", ElementType.DOCUMENT);
    SortPattern pattern =
        sortBy == null ? null : SortPattern.parse(sortBy.asDocument(), context.collation());
    return new WindowStage(
        partitionBy == null ? null : parser.partition(partitionBy),
        pattern,
        parser.outputs(spec.require("output", ElementType.DOCUMENT).asDocument(), pattern),
        context.collation());
  }

  private List<Stage> stages(RawValue partitionBy, RawValue sortBy, RawDocument output) {
    RawDocument order = sortBy == null ? RawDocument.EMPTY : sortBy.asDocument();
    SortPattern pattern = sortBy == null ? null : SortPattern.parse(order, context.collation());
    Expression partition = partitionBy == null ? null : partition(partitionBy);
    List<WindowOutput> outputs = outputs(output, pattern);
    Expression key = partition;
    var stages = new ArrayList<Stage>();
    boolean computed = partition != null && !isPath(partition);
    if (computed) {
      var fields = ComputedFields.of(Map.of(FieldPath.strict(PARTITION_KEY), partition));
      stages.add(new AddFieldsStage("$addFields", fields));
      key = expressions.parse(RawValue.ofString("$" + PARTITION_KEY));
    }
    RawDocument sort = sort(key, order);
    if (!sort.isEmpty()) {
      stages.add(SortStage.parse(RawValue.ofDocument(sort), context));
    }
    stages.add(new WindowStage(key, pattern, outputs, context.collation()));
    if (computed) {
      stages.add(ProjectStage.parseUnset(RawValue.ofString(PARTITION_KEY), context));
    }
    return stages;
  }

  /** Null where it is the same for all documents. */
  private Expression partition(RawValue partitionBy) {
    Expression parsed = expressions.parse(partitionBy);
    Expression partition;
    try {
      partition = parsed.optimize();
    } catch (CommandException e) {
      throw e.during("Failed to optimize partitionBy expression");
    }
    if (!partition.isConstant()) {
      return partition;
    }
    RawValue constant = partition.evaluate(Frame.ofConstants());
    if (constant != null && constant.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "An expression used to partition cannot evaluate to value of type array");
    }
    return null;
  }

  private static boolean isPath(Expression partition) {
    return partition instanceof FieldPathExpression;
  }

  /** By the partition first, which an order within it need not name again. */
  private static RawDocument sort(Expression key, RawDocument order) {
    var sort = new BsonBuilder();
    String path = key instanceof FieldPathExpression field ? field.path().dotted() : "";
    if (!path.isEmpty()) {
      sort.appendInt32(path, 1);
    }
    return sort.appendAll(order.without(Set.of(path))).toDocument();
  }

  private List<WindowOutput> outputs(RawDocument output, SortPattern sortBy) {
    var outputs = new ArrayList<WindowOutput>();
    ElementCursor fields = output.elements();
    while (fields.next()) {
      FieldPath path = FieldPath.strict(fields.name());
      if (outputs.stream().anyMatch(other -> conflict(path, other.path()))) {
        throw new CommandException(
            ErrorCode.WINDOW_OUTPUT_CONFLICT,
            "$setWindowFields 'output' specification contains two conflicting paths");
      }
      outputs.add(new WindowOutput(path, function(fields.name(), fields.value(), sortBy)));
    }
    return List.copyOf(outputs);
  }

  private static boolean conflict(FieldPath a, FieldPath b) {
    return a.equals(b) || a.isPrefixOf(b) || b.isPrefixOf(a);
  }

  private WindowFunction function(String field, RawValue value, SortPattern sortBy) {
    FunctionSpec.require(value.isDocument(), "The field '" + field + "' must be an object");
    RawDocument spec = value.asDocument();
    String first = null;
    ElementCursor fields = spec.elements();
    while (fields.next()) {
      String name = fields.name();
      first = first == null ? name : first;
      if (name.startsWith("$")) {
        FunctionSpec.require(
            WindowFunctionTable.isKnown(name), "Unrecognized window function, " + name);
        return WindowFunctionTable.parse(new FunctionSpec(name, spec, sortBy, expressions));
      }
    }
    throw new CommandException(
        ErrorCode.FAILED_TO_PARSE,
        "Expected a $-prefixed window function"
            + (first == null || first.isEmpty() ? "" : ", " + first));
  }
}
