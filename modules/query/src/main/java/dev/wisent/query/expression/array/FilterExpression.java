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

/** {@code $filter}: the elements that meet a condition, or the first few of them. */
final class FilterExpression extends Expression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.FILTER_NOT_OBJECT,
          "$filter only supports an object as its argument",
          ErrorCode.FILTER_UNKNOWN,
          "Unrecognized parameter to $filter: %s");

  private final String variable;
  private final int slot;
  private Expression input;
  private Expression condition;

  /** Null where there is none. */
  private Expression limit;

  private FilterExpression(
      String variable, int slot, Expression input, Expression condition, Expression limit) {
    this.variable = variable;
    this.slot = slot;
    this.input = input;
    this.condition = condition;
    this.limit = limit;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        NamedArguments.read(argument, COMPLAINTS, "input", "as", "cond", "limit");
    RawValue input =
        arguments.require(
            "input", ErrorCode.FILTER_WITHOUT_INPUT, "Missing 'input' parameter to $filter");
    RawValue condition =
        arguments.require(
            "cond", ErrorCode.FILTER_WITHOUT_COND, "Missing 'cond' parameter to $filter");
    String variable = ElementVariable.name(arguments.get("as"));
    ExpressionParser inner = parser.define(variable);
    return new FilterExpression(
        variable,
        inner.slot(),
        parser.parse(input),
        inner.parse(condition),
        parser.parseOptional(arguments.get("limit")));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue array = input.counted(frame);
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.FILTER_INPUT_NOT_ARRAY,
          "input to $filter must be an array not " + Values.typeName(array));
    }
    int left = limit == null ? Integer.MAX_VALUE : limit(limit.counted(frame));
    var out = new ArrayBuilder(array.length());
    ElementCursor elements = array.elements();
    while (left > 0 && elements.next()) {
      RawValue element = elements.value();
      frame.set(slot, element);
      if (condition.test(frame)) {
        out.add(element);
        left--;
      }
    }
    return out.build();
  }

  private static int limit(RawValue value) {
    if (Values.isNullish(value)) {
      return Integer.MAX_VALUE;
    }
    if (!Values.isInt32(value)) {
      throw new CommandException(
          ErrorCode.FILTER_LIMIT_NOT_INTEGER,
          "$filter: limit must be represented as a 32-bit integral value: " + Values.text(value));
    }
    if (value.toLong() <= 0) {
      throw new CommandException(
          ErrorCode.FILTER_LIMIT_NOT_POSITIVE,
          "$filter: limit must be greater than 0: " + value.toLong());
    }
    return (int) value.toLong();
  }

  @Override
  public Expression optimize() {
    input = input.optimize();
    condition = condition.optimize();
    limit = limit == null ? null : limit.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$filter");
    out.append("input", input.serialize()).appendString("as", variable);
    out.append("cond", condition.serialize());
    if (limit != null) {
      out.append("limit", limit.serialize());
    }
    return RawValue.ofDocument(out.end().toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
    condition.addDependencies(dependencies);
    if (limit != null) {
      limit.addDependencies(dependencies);
    }
  }
}
