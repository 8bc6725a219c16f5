package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.Locale;

/** The units of {@code $dateAdd}, {@code $dateDiff} and {@code $dateTrunc}. */
public enum TimeUnit {
  YEAR(31_557_600_000L),
  QUARTER(7_889_400_000L),
  MONTH(2_629_800_000L),
  WEEK(604_800_000L),
  DAY(86_400_000L),
  HOUR(3_600_000L),
  MINUTE(60_000L),
  SECOND(1000L),
  MILLISECOND(1L);

  private final long millis;

  TimeUnit(long millis) {
    this.millis = millis;
  }

  /** How long it is; on the average, where that differs. */
  public long millis() {
    return millis;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Null where there is none of this name. */
  public static TimeUnit of(String name) {
    for (TimeUnit unit : values()) {
      if (unit.text().equals(name)) {
        return unit;
      }
    }
    return null;
  }

  /** A date so many units later, in a time zone. */
  public long add(long epochMillis, long amount, ZoneId zone) {
    // Twice the range of dates, roughly.
    if (this != MILLISECOND && Math.abs((double) amount) * millis > 0x1p64) {
      throw new CommandException(
          ErrorCode.DATE_ADD_AMOUNT_RANGE,
          "invalid dateAdd 'amount' parameter value: " + amount + " " + text());
    }
    try {
      return switch (this) {
        case MILLISECOND, SECOND, MINUTE, HOUR ->
            Math.addExact(epochMillis, Math.multiplyExact(amount, millis));
        case DAY -> Dates.in(epochMillis, zone).plusDays(amount).toInstant().toEpochMilli();
        case WEEK -> Dates.in(epochMillis, zone).plusWeeks(amount).toInstant().toEpochMilli();
        case MONTH -> Dates.in(epochMillis, zone).plusMonths(amount).toInstant().toEpochMilli();
        case QUARTER ->
            Dates.in(epochMillis, zone).plusMonths(amount * 3).toInstant().toEpochMilli();
        case YEAR -> Dates.in(epochMillis, zone).plusYears(amount).toInstant().toEpochMilli();
      };
    } catch (ArithmeticException | DateTimeException e) {
      throw new CommandException(ErrorCode.DATE_ADD_OVERFLOW, "dateAdd overflowed");
    }
  }

  /** Reads the {@code unit} of {@code $dateDiff} or {@code $dateTrunc}. */
  static TimeUnit parse(String operator, RawValue value) {
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.TIME_UNIT_TYPE,
          operator + " requires 'unit' to be a string, but got " + Values.typeName(value));
    }
    TimeUnit unit = of(value.asString());
    if (unit == null) {
      throw new CommandException(
          ErrorCode.TIME_UNIT_UNKNOWN,
          operator
              + " parameter 'unit' value cannot be recognized as a time unit: "
              + value.asString());
    }
    return unit;
  }

  static boolean isWeek(RawValue value) {
    return value.isString() && value.asString().equals("week");
  }

  /** Reads the {@code startOfWeek}; Sunday where there is none. */
  static DayOfWeek parseStartOfWeek(String operator, RawValue value) {
    if (value == null) {
      return DayOfWeek.SUNDAY;
    }
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.START_OF_WEEK_TYPE,
          operator + " requires 'startOfWeek' to be a string, but got " + Values.typeName(value));
    }
    String name = value.asString().toUpperCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (day.name().equals(name) || day.name().substring(0, 3).equals(name)) {
        return day;
      }
    }
    throw new CommandException(
        ErrorCode.START_OF_WEEK_UNKNOWN,
        operator
            + " parameter 'startOfWeek' value cannot be recognized as a day of a week: "
            + value.asString());
  }
}
