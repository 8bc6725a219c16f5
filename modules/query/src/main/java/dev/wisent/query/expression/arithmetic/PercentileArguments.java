package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.Values;

/** The arguments of {@code $percentile} and {@code $median}, as expression or accumulator. */
public record PercentileArguments(Expression input, double[] percentiles) {
  private static final String PERCENTILE = "$percentile";
  private static final String MEDIAN = "$median";

  public static PercentileArguments parsePercentile(
      ExpressionParser parser, RawValue argument, ErrorCode notObject) {
    NamedArguments arguments = read(PERCENTILE, notObject, argument, "input", "p", "method");
    checkMethod(PERCENTILE, arguments);
    RawValue input = require(PERCENTILE, "input", arguments);
    RawValue p = require(PERCENTILE, "p", arguments);
    require(PERCENTILE, "method", arguments);
    return new PercentileArguments(parser.parse(input), percentiles(parser, p));
  }

  public static PercentileArguments parseMedian(
      ExpressionParser parser, RawValue argument, ErrorCode notObject) {
    NamedArguments arguments = read(MEDIAN, notObject, argument, "input", "method");
    checkMethod(MEDIAN, arguments);
    RawValue input = require(MEDIAN, "input", arguments);
    require(MEDIAN, "method", arguments);
    return new PercentileArguments(parser.parse(input), new double[] {0.5});
  }

  /** Appends the arguments under a name, as explain shows them. */
  public void explain(String name, BsonBuilder out) {
    out.startDocument(name).append("input", input.serialize());
    if (name.equals(PERCENTILE)) {
      out.startArray("p");
      for (int i = 0; i < percentiles.length; i++) {
        out.append(i, RawValue.ofDouble(percentiles[i]));
      }
      out.end();
    }
    out.appendString("method", "approximate").end();
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

  /** What is wrong with the method is said before what is not there. */
  private static void checkMethod(String name, NamedArguments arguments) {
    RawValue method = arguments.get("method");
    if (method == null) {
      return;
    }
    if (!method.isString()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '"
              + name
              + ".method' is the wrong type '"
              + Values.typeName(method)
              + "', expected type 'string'");
    }
    if (!method.asString().equals("approximate")) {
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
    RawValue array = expression.counted(Frame.ofConstants());
    if (array == null || !array.isArray() || array.asDocument().isEmpty()) {
      throw illegal(ErrorCode.PERCENTILE_NOT_ARRAY, Values.text(array));
    }
    RawValue[] elements = ArrayBuilder.elements(array);
    double[] percentiles = new double[elements.length];
    for (int i = 0; i < elements.length; i++) {
      if (!elements[i].isNumber()) {
        throw illegal(ErrorCode.PERCENTILE_NOT_NUMBER, Values.text(elements[i]));
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
}
