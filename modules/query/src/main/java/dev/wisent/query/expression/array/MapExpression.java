package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.Values;

/** {@code $map}: an expression of each element. */
final class MapExpression extends Expression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.MAP_NOT_OBJECT,
          "$map only supports an object as its argument",
          ErrorCode.MAP_UNKNOWN,
          "Unrecognized parameter to $map: %s");

  private final String variable;
  private final int slot;
  private Expression input;
  private Expression in;

  private MapExpression(String variable, int slot, Expression input, Expression in) {
    this.variable = variable;
    this.slot = slot;
    this.input = input;
    this.in = in;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, "input", "as", "in");
    RawValue input =
        arguments.require(
            "input", ErrorCode.MAP_WITHOUT_INPUT, "Missing 'input' parameter to $map");
    RawValue in =
        arguments.require("in", ErrorCode.MAP_WITHOUT_IN, "Missing 'in' parameter to $map");
    String variable = ElementVariable.name(arguments.get("as"));
    ExpressionParser inner = parser.define(variable);
    return new MapExpression(variable, inner.slot(), parser.parse(input), inner.parse(in));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue array = input.counted(frame);
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.MAP_INPUT_NOT_ARRAY,
          "input to $map must be an array not " + Values.typeName(array));
    }
    var out = new ArrayBuilder(array.length());
    ElementCursor elements = array.elements();
    while (elements.next()) {
      frame.set(slot, elements.value());
      out.add(in.counted(frame));
    }
    return out.build();
  }

  @Override
  public Expression optimize() {
    input = input.optimize();
    in = in.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$map");
    out.append("input", input.serialize()).appendString("as", variable);
    out.append("in", in.serialize());
    return RawValue.ofDocument(out.end().toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
    in.addDependencies(dependencies);
  }
}
