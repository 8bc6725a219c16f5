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
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/** {@code $dateDiff}: how many boundaries of a unit lie between two dates. */
final class DateDiffExpression extends OperatorExpression {
  private static final String NAME = "$dateDiff";
  private static final String[] KEYS = {"startDate", "endDate", "unit", "timezone", "startOfWeek"};
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_DIFF_NOT_OBJECT,
          "$dateDiff only supports an object as its argument",
          ErrorCode.DATE_DIFF_UNKNOWN,
          "Unrecognized argument to $dateDiff: %s");

  private DateDiffExpression(Expression[] arguments) {
    super(NAME, KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    require("startDate", ErrorCode.DATE_DIFF_WITHOUT_START, arguments);
    require("endDate", ErrorCode.DATE_DIFF_WITHOUT_END, arguments);
    require("unit", ErrorCode.DATE_DIFF_WITHOUT_UNIT, arguments);
    return new DateDiffExpression(arguments.parse(parser));
  }

  private static void require(String argument, ErrorCode code, NamedArguments arguments) {
    arguments.require(argument, code, "Missing '" + argument + "' parameter to $dateDiff");
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue start = value(0, frame);
    RawValue end = value(1, frame);
    RawValue unit = value(2, frame);
    if (Values.isNullish(start) || Values.isNullish(end) || Values.isNullish(unit)) {
      return RawValue.NULL;
    }
    RawValue startOfWeek = null;
    if (argument(4) != null && TimeUnit.isWeek(unit)) {
      startOfWeek = value(4, frame);
      if (Values.isNullish(startOfWeek)) {
        return RawValue.NULL;
      }
    }
    ZoneId zone = zone(frame);
    if (zone == null) {
      return RawValue.NULL;
    }
    long from = date("startDate", start);
    long to = date("endDate", end);
    TimeUnit parsed = TimeUnit.parse(NAME, unit);
    DayOfWeek first = TimeUnit.parseStartOfWeek(NAME, startOfWeek);
    return RawValue.ofInt64(between(from, to, parsed, zone, first));
  }

  private ZoneId zone(Frame frame) {
    try {
      return TimeZones.evaluate(argument(3), frame);
    } catch (CommandException e) {
      throw e.during("$dateDiff parameter 'timezone' value parsing failed");
    }
  }

  private static long date(String name, RawValue value) {
    if (!Dates.isDate(value)) {
      throw new CommandException(
          ErrorCode.DATE_DIFF_DATE_TYPE,
          "$dateDiff requires '" + name + "' to be a date, but got " + Values.typeName(value));
    }
    return Dates.millis(value);
  }

  private static long between(
      long from, long to, TimeUnit unit, ZoneId zone, DayOfWeek startOfWeek) {
    if (unit == TimeUnit.MILLISECOND) {
      long difference = to - from;
      if (((to ^ from) & (to ^ difference)) < 0) {
        throw new CommandException(ErrorCode.DATE_DIFF_OVERFLOW, "dateDiff overflowed");
      }
      return difference;
    }
    ZonedDateTime start = Dates.in(from, zone);
    ZonedDateTime end = Dates.in(to, zone);
    return switch (unit) {
      case YEAR -> (long) end.getYear() - start.getYear();
      case QUARTER -> quarter(end) - quarter(start);
      case MONTH -> month(end) - month(start);
      case WEEK -> week(end, startOfWeek) - week(start, startOfWeek);
      case DAY -> end.toLocalDate().toEpochDay() - start.toLocalDate().toEpochDay();
      case HOUR, MINUTE, SECOND, MILLISECOND -> clock(start, end, unit);
    };
  }

  private static long quarter(ZonedDateTime date) {
    return Math.floorDiv(month(date), 3L);
  }

  private static long month(ZonedDateTime date) {
    return date.getYear() * 12L + date.getMonthValue() - 1;
  }

  private static long week(ZonedDateTime date, DayOfWeek startOfWeek) {
    LocalDate day = date.toLocalDate();
    int into = Math.floorMod(day.getDayOfWeek().getValue() - startOfWeek.getValue(), 7);
    return Math.floorDiv(day.toEpochDay() - into, 7L);
  }

  /** Boundaries are those of the local clock; what it was put forward or back does not count. */
  private static long clock(ZonedDateTime start, ZonedDateTime end, TimeUnit unit) {
    ChronoUnit chrono =
        switch (unit) {
          case HOUR -> ChronoUnit.HOURS;
          case MINUTE -> ChronoUnit.MINUTES;
          default -> ChronoUnit.SECONDS;
        };
    long local =
        start
            .toLocalDateTime()
            .truncatedTo(chrono)
            .until(end.toLocalDateTime().truncatedTo(chrono), chrono);
    long shiftSeconds =
        (long) start.getOffset().getTotalSeconds() - end.getOffset().getTotalSeconds();
    return local + shiftSeconds * 1000 / unit.millis();
  }
}
