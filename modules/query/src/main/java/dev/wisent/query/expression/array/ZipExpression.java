package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.Values;

/** {@code $zip}: arrays of the first elements, of the second ones, and so on. */
final class ZipExpression extends Expression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.ZIP_NOT_OBJECT,
          "$zip only supports an object as an argument, found %s",
          ErrorCode.ZIP_UNKNOWN,
          "$zip found an unknown argument: %s");

  private final Expression[] inputs;
  private final Expression[] defaults;
  private final boolean longest;

  private ZipExpression(Expression[] inputs, Expression[] defaults, boolean longest) {
    this.inputs = inputs;
    this.defaults = defaults;
    this.longest = longest;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        NamedArguments.read(argument, COMPLAINTS, "inputs", "defaults", "useLongestLength");
    Expression[] inputs =
        list(parser, arguments.get("inputs"), ErrorCode.ZIP_INPUTS_NOT_ARRAY, "inputs");
    Expression[] defaults =
        list(parser, arguments.get("defaults"), ErrorCode.ZIP_DEFAULTS_NOT_ARRAY, "defaults");
    RawValue longest = arguments.get("useLongestLength");
    if (longest != null && longest.type() != ElementType.BOOLEAN) {
      throw new CommandException(
          ErrorCode.ZIP_LONGEST_NOT_BOOLEAN,
          "useLongestLength must be a bool, found " + Values.typeName(longest));
    }
    var zip = new ZipExpression(inputs, defaults, longest != null && longest.asBoolean());
    zip.check();
    return zip;
  }

  private static Expression[] list(
      ExpressionParser parser, RawValue argument, ErrorCode code, String name) {
    if (argument == null) {
      return new Expression[0];
    }
    if (!argument.isArray()) {
      throw new CommandException(
          code, name + " must be an array of expressions, found " + Values.typeName(argument));
    }
    return parser.arguments(argument);
  }

  private void check() {
    if (inputs.length == 0) {
      throw new CommandException(
          ErrorCode.ZIP_WITHOUT_INPUTS, "$zip requires at least one input array");
    }
    if (defaults.length > 0 && !longest) {
      throw new CommandException(
          ErrorCode.ZIP_DEFAULTS_WITHOUT_LONGEST,
          "cannot specify defaults unless useLongestLength is true");
    }
    if (defaults.length > 0 && defaults.length != inputs.length) {
      throw new CommandException(
          ErrorCode.ZIP_DEFAULTS_LENGTH, "defaults and inputs must have the same length");
    }
  }

  @Override
  public RawValue evaluate(Frame frame) {
    var columns = new RawValue[inputs.length][];
    int shortest = Integer.MAX_VALUE;
    int longestLength = 0;
    for (int i = 0; i < inputs.length; i++) {
      RawValue input = inputs[i].counted(frame);
      if (Values.isNullish(input)) {
        return RawValue.NULL;
      }
      if (!input.isArray()) {
        throw new CommandException(
            ErrorCode.ZIP_INPUT_NOT_ARRAY,
            "$zip found a non-array expression in input: " + Values.text(input));
      }
      columns[i] = ArrayBuilder.elements(input);
      shortest = Math.min(shortest, columns[i].length);
      longestLength = Math.max(longestLength, columns[i].length);
    }
    var fill = new RawValue[inputs.length];
    if (shortest != longestLength) {
      for (int i = 0; i < defaults.length; i++) {
        fill[i] = defaults[i].counted(frame);
      }
    }
    return rows(columns, fill, longest ? longestLength : shortest);
  }

  private static RawValue rows(RawValue[][] columns, RawValue[] fill, int length) {
    var out = new ArrayBuilder();
    for (int row = 0; row < length; row++) {
      var tuple = new ArrayBuilder();
      for (int i = 0; i < columns.length; i++) {
        tuple.add(row < columns[i].length ? columns[i][row] : fill[i]);
      }
      out.add(tuple.build());
    }
    return out.build();
  }

  @Override
  public Expression optimize() {
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = inputs[i].optimize();
    }
    for (int i = 0; i < defaults.length; i++) {
      defaults[i] = defaults[i].optimize();
    }
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$zip").startArray("inputs");
    for (int i = 0; i < inputs.length; i++) {
      out.append(i, inputs[i].serialize());
    }
    out.end().startArray("defaults");
    for (int i = 0; i < defaults.length; i++) {
      out.append(i, defaults[i].serialize());
    }
    out.end().appendBoolean("useLongestLength", longest).end();
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Expression input : inputs) {
      input.addDependencies(dependencies);
    }
    for (Expression each : defaults) {
      each.addDependencies(dependencies);
    }
  }
}
