package dev.wisent.query.expression.object;

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

/**
 * {@code $getField}: a field by its name, whatever characters that has. Since MongoDB 7.2 any
 * expression may give the name.
 */
final class GetFieldExpression extends OperatorExpression {
  private static final String NAME = "$getField";
  private static final String[] KEYS = {"field", "input"};
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.GET_FIELD_UNKNOWN,
          "",
          ErrorCode.GET_FIELD_UNKNOWN,
          "$getField found an unknown argument: %s");

  private GetFieldExpression(Expression... arguments) {
    super(NAME, KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    if (!hasNames(argument)) {
      return new GetFieldExpression(
          parser.parse(argument), parser.parse(RawValue.ofString("$$CURRENT")));
    }
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    RawValue field =
        arguments.require(
            "field",
            ErrorCode.GET_FIELD_WITHOUT_FIELD,
            "$getField requires 'field' to be specified");
    RawValue input =
        arguments.require(
            "input",
            ErrorCode.GET_FIELD_WITHOUT_INPUT,
            "$getField requires 'input' to be specified");
    return new GetFieldExpression(parser.parse(field), parser.parse(input));
  }

  private static boolean hasNames(RawValue argument) {
    if (!argument.isDocument()) {
      return false;
    }
    ElementCursor fields = argument.elements();
    return !fields.next() || !fields.nameStartsWith('$');
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue field = value(0, frame);
    if (field == null || !field.isString()) {
      throw new CommandException(
          ErrorCode.GET_FIELD_NOT_STRING,
          "$getField requires 'field' to evaluate to type String, but got "
              + Values.typeName(field));
    }
    RawValue input = value(1, frame);
    if (Values.isNullish(input)) {
      return input == null ? null : RawValue.NULL;
    }
    return input.isDocument() ? input.asDocument().get(field.asString()) : null;
  }
}
