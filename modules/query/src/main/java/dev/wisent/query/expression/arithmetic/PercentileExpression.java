package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import java.util.Arrays;

/**
 * {@code $percentile} and {@code $median} of an array in one document. It is at hand as a whole, so
 * that the percentiles are exact.
 */
final class PercentileExpression extends Expression {
  private static final double[] MEDIAN = {0.5};

  private final boolean median;
  private final double[] percentiles;
  private Expression input;

  private PercentileExpression(boolean median, double[] percentiles, Expression input) {
    this.median = median;
    this.percentiles = percentiles;
    this.input = input;
  }

  static Expression parsePercentile(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        read("$percentile", ErrorCode.PERCENTILE_NOT_OBJECT, argument, "input", "p", "method");
    RawValue p = require("$percentile", "p", arguments);
    Expression input = parser.parse(require("$percentile", "input", arguments));
    double[] percentiles = percentiles(parser, p);
    checkMethod("$percentile", arguments);
    return new PercentileExpression(false, percentiles, input);
  }

  static Expression parseMedian(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        read("$median", ErrorCode.MEDIAN_NOT_OBJECT, argument, "input", "method");
    Expression input = parser.parse(require("$median", "input", arguments));
    checkMethod("$median", arguments);
    return new PercentileExpression(true, MEDIAN, input);
  }

  private static NamedArguments read(
      String name, ErrorCode notObject, RawValue argument, String... names) {
    if (!argument.isDocument()) {
      throw new CommandException(
          notObject,
          "specification must be an object; found " + name + ": " + ValueText.of(argument));
    }
    return NamedArguments.read(
        argument,
        new NamedArguments.Complaints(
            notObject,
            "",
            ErrorCode.IDL_UNKNOWN_FIELD,
            "BSON field '" + name + ".%s' is an unknown field."),
        names);
  }

  private static RawValue require(String name, String argument, NamedArguments arguments) {
    return arguments.require(
        argument,
        ErrorCode.IDL_FAILED_TO_PARSE,
        "BSON field '" + name + "." + argument + "' is missing but a required field");
  }

  private static void checkMethod(String name, NamedArguments arguments) {
    RawValue method = require(name, "method", arguments);
    if (!method.isString() || !method.asString().equals("approximate")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Currently only 'approximate' can be used as percentile 'method'.");
    }
  }

  private static double[] percentiles(ExpressionParser parser, RawValue argument) {
    Expression expression = parser.parse(argument).optimize();
    if (!expression.isConstant()) {
      throw new CommandException(
          ErrorCode.PERCENTILE_NOT_CONSTANT,
          "The $percentile 'p' field must be an array of constant values, but found value: "
              + ValueText.of(argument)
              + ".");
    }
    RawValue array = expression.evaluate(null);
    if (array == null || !array.isArray() || array.asDocument().isEmpty()) {
      throw illegal(
          ErrorCode.PERCENTILE_NOT_ARRAY, array == null ? "MISSING" : ValueText.of(array));
    }
    RawValue[] elements = ArrayBuilder.elements(array);
    double[] percentiles = new double[elements.length];
    for (int i = 0; i < elements.length; i++) {
      if (!elements[i].isNumber()) {
        throw illegal(ErrorCode.PERCENTILE_NOT_NUMBER, ValueText.of(elements[i]));
      }
      percentiles[i] = elements[i].toDouble();
      if (percentiles[i] < 0 || percentiles[i] > 1) {
        throw illegal(ErrorCode.PERCENTILE_RANGE, NumberText.of(percentiles[i]));
      }
    }
    return percentiles;
  }

  private static CommandException illegal(ErrorCode code, String found) {
    return new CommandException(
        code,
        "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
            + found);
  }

  @Override
  public RawValue evaluate(Frame frame) {
    double[] numbers = numbers(input.evaluate(frame));
    Arrays.sort(numbers);
    if (median) {
      return at(MEDIAN[0], numbers);
    }
    var out = new ArrayBuilder();
    for (double p : percentiles) {
      out.add(at(p, numbers));
    }
    return out.build();
  }

  private static double[] numbers(RawValue value) {
    if (value != null && value.isNumber()) {
      return new double[] {value.toDouble()};
    }
    if (value == null || !value.isArray()) {
      return new double[0];
    }
    double[] numbers = new double[value.asDocument().fieldCount()];
    int count = 0;
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (elements.value().isNumber()) {
        numbers[count++] = elements.value().toDouble();
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  private static RawValue at(double p, double[] sorted) {
    if (sorted.length == 0) {
      return RawValue.NULL;
    }
    int rank = (int) Math.clamp((long) Math.ceil(sorted.length * p) - 1, 0L, sorted.length - 1L);
    return RawValue.ofDouble(sorted[rank]);
  }

  @Override
  public Expression optimize() {
    input = input.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument(median ? "$median" : "$percentile");
    out.append("input", input.serialize());
    if (!median) {
      out.startArray("p");
      for (int i = 0; i < percentiles.length; i++) {
        out.append(i, RawValue.ofDouble(percentiles[i]));
      }
      out.end();
    }
    out.appendString("method", "approximate").end();
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
