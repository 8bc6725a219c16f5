package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.IsoFields;

/** {@code $dateToParts}. */
final class DateToPartsExpression extends OperatorExpression {
  private static final String[] KEYS = {"date", "timezone", "iso8601"};
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_TO_PARTS_NOT_OBJECT,
          "$dateToParts only supports an object as its argument",
          ErrorCode.DATE_TO_PARTS_UNKNOWN,
          "Unrecognized argument to $dateToParts: %s");

  private DateToPartsExpression(Expression[] arguments) {
    super("$dateToParts", KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    arguments.require(
        "date", ErrorCode.DATE_TO_PARTS_WITHOUT_DATE, "Missing 'date' parameter to $dateToParts");
    return new DateToPartsExpression(arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue date = value(0, frame);
    ZoneId zone = TimeZones.evaluate(argument(1), frame);
    if (zone == null) {
      return RawValue.NULL;
    }
    boolean iso = false;
    if (argument(2) != null) {
      RawValue flag = value(2, frame);
      if (Values.isNullish(flag)) {
        return RawValue.NULL;
      }
      if (flag.type() != ElementType.BOOLEAN) {
        throw new CommandException(
            ErrorCode.DATE_TO_PARTS_ISO_TYPE,
            "iso8601 must evaluate to a bool, found " + Values.typeName(flag));
      }
      iso = flag.asBoolean();
    }
    if (Values.isNullish(date)) {
      return RawValue.NULL;
    }
    return parts(Dates.in(Dates.millis(date), zone), iso);
  }

  private static RawValue parts(ZonedDateTime date, boolean iso) {
    var out = new BsonBuilder();
    if (iso) {
      out.appendInt32("isoWeekYear", date.get(IsoFields.WEEK_BASED_YEAR));
      out.appendInt32("isoWeek", date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      out.appendInt32("isoDayOfWeek", date.getDayOfWeek().getValue());
    } else {
      out.appendInt32("year", date.getYear());
      out.appendInt32("month", date.getMonthValue());
      out.appendInt32("day", date.getDayOfMonth());
    }
    out.appendInt32("hour", date.getHour()).appendInt32("minute", date.getMinute());
    out.appendInt32("second", date.getSecond());
    out.appendInt32("millisecond", date.getNano() / 1_000_000);
    return RawValue.ofDocument(out.toDocument());
  }
}
