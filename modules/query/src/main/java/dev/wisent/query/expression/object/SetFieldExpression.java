package dev.wisent.query.expression.object;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $setField} and {@code $unsetField}: a field by its name, whatever characters that has. */
final class SetFieldExpression extends OperatorExpression {
  private static final String[] SET_KEYS = {"field", "input", "value"};
  private static final String[] UNSET_KEYS = {"field", "input"};
  private final String field;

  private SetFieldExpression(String name, String[] keys, String field, Expression... arguments) {
    super(name, keys, arguments);
    this.field = field;
  }

  static ExpressionRow row(String name, boolean unset) {
    return new ExpressionRow(
        name,
        ExpressionRow.Family.OBJECT,
        "5.0",
        (parser, argument) -> parse(name, unset, parser, argument));
  }

  private static Expression parse(
      String name, boolean unset, ExpressionParser parser, RawValue argument) {
    String[] keys = unset ? UNSET_KEYS : SET_KEYS;
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                ErrorCode.SET_FIELD_NOT_OBJECT,
                name + " only supports an object as its argument",
                ErrorCode.SET_FIELD_UNKNOWN,
                name + " found an unknown argument: %s"),
            keys);
    require(name, "field", ErrorCode.SET_FIELD_WITHOUT_FIELD, arguments);
    if (!unset) {
      require(name, "value", ErrorCode.SET_FIELD_WITHOUT_VALUE, arguments);
    }
    require(name, "input", ErrorCode.SET_FIELD_WITHOUT_INPUT, arguments);
    Expression[] expressions = arguments.parse(parser);
    String field = constantName(name, expressions[0]);
    return new SetFieldExpression(name, keys, field, expressions);
  }

  /** Unlike {@code $getField}, the name must be a constant. */
  private static String constantName(String operator, Expression field) {
    if (field instanceof FieldPathExpression path) {
      String text = "$" + path.path();
      throw new CommandException(
          ErrorCode.SET_FIELD_PATH,
          "'"
              + text
              + "' is a field path reference which is not allowed in this context. Did you mean"
              + " {$literal: '"
              + text
              + "'}?");
    }
    if (!(field instanceof ConstantExpression constant)) {
      throw new CommandException(
          ErrorCode.SET_FIELD_NOT_CONSTANT,
          operator
              + " requires 'field' to evaluate to a constant, but got a non-constant argument");
    }
    RawValue value = constant.value();
    if (value == null || !value.isString()) {
      throw new CommandException(
          ErrorCode.SET_FIELD_NOT_STRING,
          operator
              + " requires 'field' to evaluate to type String, but got "
              + Values.typeName(value));
    }
    return value.asString();
  }

  private static void require(
      String name, String argument, ErrorCode code, NamedArguments arguments) {
    arguments.require(argument, code, name + " requires '" + argument + "' to be specified");
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue input = value(1, frame);
    if (Values.isNullish(input)) {
      return RawValue.NULL;
    }
    if (!input.isDocument()) {
      throw new CommandException(
          ErrorCode.SET_FIELD_INPUT_NOT_OBJECT,
          name()
              + " requires 'input' to evaluate to type Object, but got "
              + Values.typeName(input));
    }
    RawValue value = argumentCount() < SET_KEYS.length ? null : value(2, frame);
    var fields = new FieldMap();
    fields.putAll(input.asDocument());
    if (value == null) {
      fields.remove(field);
    } else {
      fields.put(field, value);
    }
    return fields.toValue();
  }
}
