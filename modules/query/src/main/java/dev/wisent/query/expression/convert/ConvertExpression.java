package dev.wisent.query.expression.convert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/** {@code $convert}, and {@code $toInt} and the others that are short for it. */
final class ConvertExpression extends OperatorExpression {
  private static final String[] KEYS = {"input", "to", "format", "onError", "onNull"};
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.FAILED_TO_PARSE,
          "$convert expects an object of named arguments but found: %s",
          ErrorCode.FAILED_TO_PARSE,
          "$convert found an unknown argument: %s");

  private ConvertExpression(Expression... arguments) {
    super("$convert", KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    arguments.require("input", ErrorCode.FAILED_TO_PARSE, "Missing 'input' parameter to $convert");
    arguments.require("to", ErrorCode.FAILED_TO_PARSE, "Missing 'to' parameter to $convert");
    return new ConvertExpression(arguments.parse(parser));
  }

  /** A row for a conversion without options. */
  static ExpressionRow row(String name, String since, RawValue to, String format) {
    return new ExpressionRow(
        name,
        ExpressionRow.Family.TYPE,
        since,
        (parser, argument) -> {
          Expression[] arguments = parser.arguments(argument);
          if (arguments.length != 1) {
            throw new CommandException(
                ErrorCode.CONVERT_ARITY,
                name + " requires a single argument, got " + arguments.length);
          }
          return new ConvertExpression(
              arguments[0],
              new ConstantExpression(to),
              format == null ? null : new ConstantExpression(RawValue.ofString(format)),
              null,
              null);
        });
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue to = value(1, frame);
    RawValue input = value(0, frame);
    ConvertTarget target = Values.isNullish(to) ? null : ConvertTarget.of(to);
    RawValue format = argument(2) == null ? null : value(2, frame);
    BinaryFormat parsed = Values.isNullish(format) ? null : BinaryFormat.parse(format);
    if (Values.isNullish(input)) {
      return argument(4) == null ? RawValue.NULL : value(4, frame);
    }
    if (target == null) {
      return RawValue.NULL;
    }
    try {
      return converted(input, target, parsed);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CONVERSION_FAILURE || argument(3) == null) {
        throw e;
      }
      return value(3, frame);
    }
  }

  private static RawValue converted(RawValue input, ConvertTarget target, BinaryFormat format) {
    boolean fromBinary = input.type() == ElementType.BINARY;
    boolean toBinary = target.type() == ElementType.BINARY;
    if (fromBinary && toBinary) {
      return BinaryFormat.sameSubtype(input, target.subtype());
    }
    if (toBinary && input.isString()) {
      return BinaryFormat.required(format, "string", "binData").decode(input, target.subtype());
    }
    if (fromBinary && target.type() == ElementType.STRING) {
      return BinaryFormat.required(format, "binData", "string").encode(input);
    }
    return Conversions.convert(input, target.type());
  }
}
