package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.window.WindowBounds.Bound;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.function.Consumer;

/**
 * {@code $first}, {@code $last} and {@code $shift}: the value of the document at one end of the
 * window.
 *
 * @param last whether it is the upper end
 * @param absent the value where the window is empty, or the value of its document is missing
 * @param explanation appends the function as explain shows it
 */
record EndFunction(
    boolean last,
    Expression input,
    WindowBounds bounds,
    Expression sortValue,
    RawValue absent,
    Consumer<BsonBuilder> explanation)
    implements WindowFunction {
  static WindowFunctionRow row(String name, boolean last) {
    return new WindowFunctionRow(name, "5.0", spec -> parse(spec, last));
  }

  private static WindowFunction parse(FunctionSpec spec, boolean last) {
    Expression input = spec.parse(spec.ownArgument());
    WindowBounds bounds = spec.bounds(WindowBounds.ALL);
    return new EndFunction(
        last,
        input,
        bounds,
        spec.sortValue(),
        RawValue.NULL,
        out -> {
          out.append(spec.name(), input.serialize());
          bounds.explain(out);
        });
  }

  /** {@code $shift}, whose window is a single document. */
  static WindowFunction parseShift(FunctionSpec spec) {
    FunctionSpec.require(!spec.hasWindow(), "$shift does not accept a 'window' field");
    RawValue argument = spec.argumentWithoutWindow();
    FunctionSpec.require(argument.isDocument(), "Argument to $shift must be an object");
    RawValue output = null;
    RawValue by = null;
    RawValue absent = RawValue.NULL;
    var fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "output" -> output = fields.value();
        case "by" -> by = fields.value();
        case "default" -> absent = constant(spec, fields.value());
        default -> FunctionSpec.require(false, "Unknown argument in $shift");
      }
    }
    FunctionSpec.require(
        by == null || Values.isInt32(by),
        "'$shift:by' field must be an integer, but found  by: " + text(by));
    FunctionSpec.require(output != null, "$shift requires an 'output' expression.");
    FunctionSpec.require(by != null, "$shift requires 'by' as an integer value.");
    FunctionSpec.require(spec.sortBy() != null, "'$shift' requires a sortBy");
    return shift(spec.parse(output), (int) by.toLong(), absent);
  }

  private static String text(RawValue value) {
    return value == null ? "" : ValueText.of(value);
  }

  private static WindowFunction shift(Expression input, int by, RawValue absent) {
    Bound bound = Bound.of(RawValue.ofInt32(by));
    return new EndFunction(
        false,
        input,
        WindowBounds.ofDocuments(bound, bound),
        null,
        absent,
        out -> {
          out.startDocument("$shift").appendInt32("by", by).append("output", input.serialize());
          out.append("default", explained(absent)).end();
        });
  }

  /** A value that would be read as an expression is written as a constant. */
  private static RawValue explained(RawValue absent) {
    return absent == null || absent.isString() || absent.isDocument() || absent.isArray()
        ? new ConstantExpression(absent).serialize()
        : absent;
  }

  private static RawValue constant(FunctionSpec spec, RawValue argument) {
    Expression expression = spec.parse(argument);
    FunctionSpec.require(
        expression.isConstant(), "'$shift:default' expression must yield a constant value.");
    RawValue value = expression.evaluate(Frame.ofConstants());
    return value == null ? null : value.detached();
  }

  @Override
  public RunningFunction begin() {
    EdgeValue edge = last ? EdgeValue.last(input, bounds) : EdgeValue.first(input, bounds);
    return new Running(needed().ends(sortValue), edge);
  }

  /** Who wants the first document needs no other, where it is certain that there is one. */
  private WindowBounds needed() {
    boolean hasCurrent = bounds.upper().kind() != Bound.Kind.OFFSET;
    return !last && !bounds.ranged() && bounds.onlyGrows() && hasCurrent
        ? WindowBounds.UP_TO_CURRENT
        : bounds;
  }

  @Override
  public void explain(BsonBuilder out) {
    explanation.accept(out);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }

  private final class Running extends RunningFunction {
    private final WindowEnds ends;
    private final EdgeValue edge;

    Running(WindowEnds ends, EdgeValue edge) {
      this.ends = ends;
      this.edge = edge;
    }

    @Override
    void restart() {
      ends.restart();
      edge.restart();
    }

    @Override
    RawValue next(Partition partition) {
      ends.move(partition);
      edge.pass(partition);
      if (ends.isEmpty()) {
        return absent;
      }
      RawValue value = edge.at(last ? ends.upper() - 1 : ends.lower(), partition);
      return value == null ? absent : value;
    }

    @Override
    long bytes() {
      return ends.bytes() + edge.bytes();
    }
  }
}
