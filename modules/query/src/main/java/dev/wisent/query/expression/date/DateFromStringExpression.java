package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;
import java.time.ZoneId;

/** {@code $dateFromString}. */
final class DateFromStringExpression extends OperatorExpression {
  private static final String[] KEYS = {"dateString", "timezone", "format", "onNull", "onError"};
  private static final String SPECIFIERS = "bBdGHjLmMSuVYzZ";
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_FROM_STRING_NOT_OBJECT,
          "$dateFromString only supports an object as an argument, found: %s",
          ErrorCode.DATE_FROM_STRING_UNKNOWN,
          "Unrecognized argument to $dateFromString: %s");

  private DateFromStringExpression(Expression[] arguments) {
    super("$dateFromString", KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    arguments.require(
        "dateString",
        ErrorCode.DATE_FROM_STRING_WITHOUT_STRING,
        "Missing 'dateString' parameter to $dateFromString");
    return new DateFromStringExpression(arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue text = value(0, frame);
    RawValue format = argument(2) == null ? null : value(2, frame);
    if (!Values.isNullish(format)) {
      if (!format.isString()) {
        throw new CommandException(
            ErrorCode.DATE_FROM_STRING_FORMAT_TYPE,
            "$dateFromString requires that 'format' be a string, found: "
                + Values.typeName(format)
                + " with value "
                + Values.text(format));
      }
      DateFormat.check(format.asString(), SPECIFIERS);
    }
    ZoneId zone = TimeZones.evaluate(argument(1), frame);
    if (Values.isNullish(text)) {
      return argument(3) == null ? RawValue.NULL : value(3, frame);
    }
    try {
      return date(text, format, zone);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CONVERSION_FAILURE || argument(4) == null) {
        throw e;
      }
      return value(4, frame);
    }
  }

  private RawValue date(RawValue text, RawValue format, ZoneId zone) {
    if (!text.isString()) {
      throw new CommandException(
          ErrorCode.CONVERSION_FAILURE,
          "$dateFromString requires that 'dateString' be a string, found: "
              + Values.typeName(text)
              + " with value "
              + Values.text(text));
    }
    if (zone == null || (argument(2) != null && Values.isNullish(format))) {
      return RawValue.NULL;
    }
    return RawValue.ofDate(
        format == null
            ? DateTexts.parse(text.asString(), zone)
            : DateTexts.parse(text.asString(), format.asString(), zone));
  }
}
