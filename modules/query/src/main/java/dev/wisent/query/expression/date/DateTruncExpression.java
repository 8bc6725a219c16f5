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
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;

/** {@code $dateTrunc}: where the bin begins that a date is in. Bins are counted from 2000 on. */
final class DateTruncExpression extends OperatorExpression {
  private static final String NAME = "$dateTrunc";
  private static final String[] KEYS = {"date", "unit", "binSize", "timezone", "startOfWeek"};
  private static final LocalDate REFERENCE = LocalDate.of(2000, 1, 1);
  private static final long BIN_DAYS_MAX = 100_000_000_000L;
  private static final long REFERENCE_MONTH = 2000 * 12L;
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_TRUNC_NOT_OBJECT,
          "$dateTrunc only supports an object as its argument",
          ErrorCode.DATE_TRUNC_UNKNOWN,
          "Unrecognized argument to $dateTrunc: %s. Expected arguments are date, unit, and"
              + " optionally, binSize, timezone, startOfWeek");

  private DateTruncExpression(Expression[] arguments) {
    super(NAME, KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, KEYS);
    arguments.require(
        "date", ErrorCode.DATE_TRUNC_WITHOUT_DATE, "Missing 'date' parameter to $dateTrunc");
    arguments.require(
        "unit", ErrorCode.DATE_TRUNC_WITHOUT_UNIT, "Missing 'unit' parameter to $dateTrunc");
    return new DateTruncExpression(arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue date = value(0, frame);
    RawValue unit = value(1, frame);
    RawValue binSize = argument(2) == null ? null : value(2, frame);
    if (Values.isNullish(date)
        || Values.isNullish(unit)
        || (argument(2) != null && Values.isNullish(binSize))) {
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
    if (!Dates.isDate(date)) {
      throw new CommandException(
          ErrorCode.DATE_TRUNC_DATE_TYPE,
          "$dateTrunc requires 'date' to be a date, but got " + Values.typeName(date));
    }
    TimeUnit parsed = TimeUnit.parse(NAME, unit);
    long size = binSize == null ? 1 : binSize(binSize);
    DayOfWeek first = TimeUnit.parseStartOfWeek(NAME, startOfWeek);
    try {
      return RawValue.ofDate(truncated(Dates.millis(date), parsed, size, zone, first));
    } catch (ArithmeticException | DateTimeException e) {
      throw new CommandException(ErrorCode.DATE_TRUNC_OVERFLOW, "dateTrunc overflowed");
    }
  }

  private ZoneId zone(Frame frame) {
    try {
      return TimeZones.evaluate(argument(3), frame);
    } catch (CommandException e) {
      throw e.during("$dateTrunc parameter 'timezone' value parsing failed");
    }
  }

  private static long binSize(RawValue value) {
    if (!Values.isInt64(value)) {
      throw new CommandException(
          ErrorCode.DATE_TRUNC_BIN_TYPE,
          "$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '"
              + Values.text(value)
              + "' of type "
              + Values.typeName(value));
    }
    if (value.toLong() <= 0) {
      throw new CommandException(
          ErrorCode.DATE_TRUNC_BIN_RANGE,
          "$dateTrunc requires 'binSize' to be greater than 0, but got value " + value.toLong());
    }
    return value.toLong();
  }

  private static long truncated(
      long millis, TimeUnit unit, long size, ZoneId zone, DayOfWeek startOfWeek) {
    if (unit.compareTo(TimeUnit.HOUR) < 0 && size > BIN_DAYS_MAX) {
      throw new CommandException(
          ErrorCode.DATE_TRUNC_BIN_SIZE, "dateTrunc unsupported binSize value");
    }
    return switch (unit) {
      case MILLISECOND, SECOND, MINUTE, HOUR -> {
        long bin = Math.multiplyExact(size, unit.millis());
        long reference = start(REFERENCE, zone);
        yield millis - Math.floorMod(millis - reference, bin);
      }
      case DAY -> day(millis, REFERENCE, size, zone);
      case WEEK ->
          day(
              millis,
              REFERENCE.with(TemporalAdjusters.nextOrSame(startOfWeek)),
              Math.multiplyExact(size, 7L),
              zone);
      case MONTH -> month(millis, size, zone);
      case QUARTER -> month(millis, Math.multiplyExact(size, 3L), zone);
      case YEAR -> month(millis, Math.multiplyExact(size, 12L), zone);
    };
  }

  private static long day(long millis, LocalDate reference, long days, ZoneId zone) {
    LocalDate day = Dates.in(millis, zone).toLocalDate();
    long into = Math.floorMod(day.toEpochDay() - reference.toEpochDay(), days);
    return start(day.minusDays(into), zone);
  }

  private static long month(long millis, long months, ZoneId zone) {
    LocalDate day = Dates.in(millis, zone).toLocalDate();
    long month = day.getYear() * 12L + day.getMonthValue() - 1;
    long into = Math.floorMod(month - REFERENCE_MONTH, months);
    return start(day.withDayOfMonth(1).minusMonths(into), zone);
  }

  private static long start(LocalDate day, ZoneId zone) {
    return day.atStartOfDay(zone).toInstant().toEpochMilli();
  }
}
