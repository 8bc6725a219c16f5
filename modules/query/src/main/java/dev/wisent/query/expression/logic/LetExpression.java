package dev.wisent.query.expression.logic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import java.util.ArrayList;
import java.util.List;

/** {@code $let}: variables, none of which sees the others, for one expression. */
final class LetExpression extends Expression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.LET_NOT_OBJECT,
          "$let only supports an object as its argument",
          ErrorCode.LET_UNKNOWN,
          "Unrecognized parameter to $let: %s");

  private final List<String> names;
  private final Expression[] values;
  private final int[] slots;
  private Expression in;

  private LetExpression(List<String> names, Expression[] values, int[] slots, Expression in) {
    this.names = names;
    this.values = values;
    this.slots = slots;
    this.in = in;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, "vars", "in");
    RawValue vars =
        arguments.require("vars", ErrorCode.LET_WITHOUT_VARS, "Missing 'vars' parameter to $let");
    RawValue in =
        arguments.require("in", ErrorCode.LET_WITHOUT_IN, "Missing 'in' parameter to $let");
    if (!vars.isDocument()) {
      throw new CommandException(
          ErrorCode.EXPECTED_OBJECT, "invalid parameter: expected an object (vars)");
    }
    var names = new ArrayList<String>();
    var values = new ArrayList<Expression>();
    var slots = new ArrayList<Integer>();
    ExpressionParser inner = parser;
    ElementCursor variables = vars.elements();
    while (variables.next()) {
      inner = inner.define(variables.name());
      names.add(variables.name());
      values.add(parser.parse(variables.value()));
      slots.add(inner.slot());
    }
    return new LetExpression(
        names,
        values.toArray(Expression[]::new),
        slots.stream().mapToInt(Integer::intValue).toArray(),
        inner.parse(in));
  }

  /**
   * A value is put into its slot only after the next one is known, because the expressions of the
   * values may bind variables of their own to the same slots.
   */
  @Override
  public RawValue evaluate(Frame frame) {
    bind(frame, 0);
    return in.evaluate(frame);
  }

  @Override
  public boolean test(Frame frame) {
    bind(frame, 0);
    return in.test(frame);
  }

  private void bind(Frame frame, int i) {
    if (i < values.length) {
      RawValue value = values[i].counted(frame);
      bind(frame, i + 1);
      frame.set(slots[i], value);
    }
  }

  @Override
  public Expression optimize() {
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i].optimize();
    }
    in = in.optimize();
    return values.length == 0 || in.isConstant() ? in : this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$let").startDocument("vars");
    for (int i = 0; i < values.length; i++) {
      out.append(names.get(i), values[i].serialize());
    }
    out.end().append("in", in.serialize()).end();
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Expression value : values) {
      value.addDependencies(dependencies);
    }
    in.addDependencies(dependencies);
  }
}
