package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $reduce}: {@code $$value} is what came out so far, {@code $$this} the element at hand. */
final class ReduceExpression extends OperatorExpression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.REDUCE_NOT_OBJECT,
          "$reduce requires an object as an argument, found: %s",
          ErrorCode.REDUCE_UNKNOWN,
          "$reduce found an unknown argument: %s");
  private static final String[] KEYS = {"input", "initialValue", "in"};

  private final int elementSlot;
  private final int valueSlot;

  private ReduceExpression(int elementSlot, int valueSlot, Expression... arguments) {
    super("$reduce", KEYS, arguments);
    this.elementSlot = elementSlot;
    this.valueSlot = valueSlot;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    RawValue input =
        arguments.require(
            "input", ErrorCode.REDUCE_WITHOUT_INPUT, "$reduce requires 'input' to be specified");
    RawValue initial =
        arguments.require(
            "initialValue",
            ErrorCode.REDUCE_WITHOUT_INITIAL,
            "$reduce requires 'initialValue' to be specified");
    RawValue in =
        arguments.require(
            "in", ErrorCode.REDUCE_WITHOUT_IN, "$reduce requires 'in' to be specified");
    ExpressionParser element = parser.define("this");
    ExpressionParser inner = element.define("value");
    return new ReduceExpression(
        element.slot(), inner.slot(), parser.parse(input), parser.parse(initial), inner.parse(in));
  }

  @Override
  protected boolean isFoldable() {
    return false;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue array = value(0, frame);
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.REDUCE_INPUT_NOT_ARRAY,
          "$reduce requires that 'input' be an array, found: " + Values.text(array));
    }
    RawValue result = value(1, frame);
    ElementCursor elements = array.elements();
    while (elements.next()) {
      frame.set(elementSlot, elements.value());
      frame.set(valueSlot, result);
      result = value(2, frame);
    }
    return result;
  }
}
