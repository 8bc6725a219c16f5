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
import java.time.ZoneOffset;

/** {@code $dateToString}. */
final class DateToStringExpression extends OperatorExpression {
  private static final String[] KEYS = {"date", "format", "timezone", "onNull"};
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_TO_STRING_NOT_OBJECT,
          "$dateToString only supports an object as its argument",
          ErrorCode.DATE_TO_STRING_UNKNOWN,
          "Unrecognized argument to $dateToString: %s");

  private DateToStringExpression(Expression[] arguments) {
    super("$dateToString", KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    arguments.require(
        "date", ErrorCode.DATE_TO_STRING_WITHOUT_DATE, "Missing 'date' parameter to $dateToString");
    return new DateToStringExpression(arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue date = value(0, frame);
    RawValue format = argument(1) == null ? null : value(1, frame);
    if (!Values.isNullish(format)) {
      if (!format.isString()) {
        throw new CommandException(
            ErrorCode.DATE_TO_STRING_FORMAT_TYPE,
            "$dateToString requires that 'format' be a string, found: "
                + Values.typeName(format)
                + " with value "
                + Values.text(format));
      }
      DateFormat.check(format.asString());
    }
    // A zone that does not exist is an error, whatever the date is.
    ZoneId zone = TimeZones.evaluate(argument(2), frame);
    if (Values.isNullish(date)) {
      return argument(3) == null ? RawValue.NULL : value(3, frame);
    }
    if (zone == null || (argument(1) != null && Values.isNullish(format))) {
      return RawValue.NULL;
    }
    String pattern =
        argument(1) != null
            ? format.asString()
            : zone.equals(ZoneOffset.UTC) ? DateFormat.ISO : DateFormat.ISO_LOCAL;
    return RawValue.ofString(DateFormat.format(pattern, Dates.millis(date), zone));
  }
}
