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
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;

/** {@code $dateFromParts}: parts beyond their range carry over into the next larger one. */
final class DateFromPartsExpression extends OperatorExpression {
  private static final String[] KEYS = {
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "millisecond",
    "isoWeekYear",
    "isoWeek",
    "isoDayOfWeek",
    "timezone"
  };
  private static final int PART_MIN = Short.MIN_VALUE;
  private static final int PART_MAX = Short.MAX_VALUE;
  private static final int YEAR_MAX = 9999;
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.DATE_FROM_PARTS_NOT_OBJECT,
          "$dateFromParts only supports an object as its argument",
          ErrorCode.DATE_FROM_PARTS_UNKNOWN,
          "Unrecognized argument to $dateFromParts: %s");

  private DateFromPartsExpression(Expression[] arguments) {
    super("$dateFromParts", KEYS, arguments);
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments given = NamedArguments.read(argument, COMPLAINTS, KEYS);
    if (!given.has("year") && !given.has("isoWeekYear")) {
      throw new CommandException(
          ErrorCode.DATE_FROM_PARTS_WITHOUT_YEAR,
          "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    }
    if (given.has("year")
        && (given.has("isoWeekYear") || given.has("isoWeek") || given.has("isoDayOfWeek"))) {
      throw new CommandException(
          ErrorCode.DATE_FROM_PARTS_ISO_MIXED,
          "$dateFromParts does not allow mixing natural dates with ISO dates");
    }
    if (given.has("isoWeekYear") && (given.has("month") || given.has("day"))) {
      throw new CommandException(
          ErrorCode.DATE_FROM_PARTS_MIXED,
          "$dateFromParts does not allow mixing ISO dates with natural dates");
    }
    return new DateFromPartsExpression(given.parse(parser));
  }

  /** A part is null, and so is the date. */
  private static final class NullPart extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final NullPart INSTANCE = new NullPart();

    private NullPart() {
      super(null, null, false, false);
    }
  }

  @Override
  public RawValue evaluate(Frame frame) {
    try {
      return RawValue.ofDate(date(frame));
    } catch (NullPart e) {
      return RawValue.NULL;
    }
  }

  private long date(Frame frame) {
    long hour = bounded(3, 0, frame);
    long minute = bounded(4, 0, frame);
    long second = number(5, 0, frame);
    long millisecond = number(6, 0, frame);
    ZoneId zone = TimeZones.evaluate(argument(10), frame);
    if (zone == null) {
      throw NullPart.INSTANCE;
    }
    LocalDate day = argument(0) != null ? natural(frame) : iso(frame);
    LocalDateTime local = day.atStartOfDay().plusHours(hour).plusMinutes(minute);
    // Seconds and milliseconds may be so many that they do not fit a date before the others.
    long start = local.atZone(zone).toInstant().toEpochMilli();
    return isWithin(second, 1L << 40) && isWithin(millisecond, 1L << 50)
        ? local
            .plusSeconds(second)
            .plusNanos(millisecond % 1000 * 1_000_000)
            .plusSeconds(millisecond / 1000)
            .atZone(zone)
            .toInstant()
            .toEpochMilli()
        : sum(start, second, millisecond);
  }

  private static boolean isWithin(long number, long limit) {
    return -limit < number && number < limit;
  }

  /** MongoDB counts milliseconds in microseconds on the way, so that fewer of them fit. */
  private static long sum(long start, long second, long millisecond) {
    try {
      Math.multiplyExact(millisecond, 1000);
      return Math.addExact(Math.addExact(start, Math.multiplyExact(second, 1000)), millisecond);
    } catch (ArithmeticException e) {
      throw new CommandException(
          ErrorCode.DURATION_OVERFLOW,
          "Overflow casting from a lower-precision duration to a higher-precision duration");
    }
  }

  private LocalDate natural(Frame frame) {
    long year = number(0, 1970, frame);
    long month = bounded(1, 1, frame);
    long day = bounded(2, 1, frame);
    checkYear("year", ErrorCode.DATE_FROM_PARTS_YEAR_RANGE, year);
    return LocalDate.of((int) year, 1, 1).plusMonths(month - 1).plusDays(day - 1);
  }

  private LocalDate iso(Frame frame) {
    long year = number(7, 1970, frame);
    long week = bounded(8, 1, frame);
    long day = bounded(9, 1, frame);
    checkYear("isoWeekYear", ErrorCode.DATE_FROM_PARTS_ISO_YEAR_RANGE, year);
    // The fourth of January is always in the first week.
    return LocalDate.of((int) year, 1, 4)
        .with(ChronoField.DAY_OF_WEEK, 1)
        .plusWeeks(week - 1)
        .plusDays(day - 1);
  }

  private static void checkYear(String name, ErrorCode code, long year) {
    if (year < 1 || year > YEAR_MAX) {
      throw new CommandException(
          code,
          "'"
              + name
              + "' must evaluate to an integer in the range 1 to "
              + YEAR_MAX
              + ", found "
              + year);
    }
  }

  private long bounded(int i, long absent, Frame frame) {
    long number = number(i, absent, frame);
    if (number < PART_MIN || number > PART_MAX) {
      throw new CommandException(
          ErrorCode.DATE_FROM_PARTS_RANGE,
          "'"
              + KEYS[i]
              + "' must evaluate to a value in the range ["
              + PART_MIN
              + ", "
              + PART_MAX
              + "]; value "
              + number
              + " is not in range");
    }
    return number;
  }

  private long number(int i, long absent, Frame frame) {
    if (argument(i) == null) {
      return absent;
    }
    RawValue value = value(i, frame);
    if (Values.isNullish(value)) {
      throw NullPart.INSTANCE;
    }
    if (!Values.isInt64(value)) {
      throw new CommandException(
          ErrorCode.DATE_FROM_PARTS_TYPE,
          "'"
              + KEYS[i]
              + "' must evaluate to an integer, found "
              + Values.typeName(value)
              + " with value "
              + Values.text(value));
    }
    return value.toLong();
  }
}
