package dev.wisent.query.expression.date;

import dev.wisent.bson.RawValue;
import java.time.ZonedDateTime;
import java.time.temporal.IsoFields;
import java.util.function.ToIntFunction;

/** The parts of a date: {@code $year}, {@code $month} and so on. */
enum DateParts {
  YEAR("$year", ZonedDateTime::getYear),
  MONTH("$month", ZonedDateTime::getMonthValue),
  DAY_OF_MONTH("$dayOfMonth", ZonedDateTime::getDayOfMonth),
  DAY_OF_YEAR("$dayOfYear", ZonedDateTime::getDayOfYear),
  DAY_OF_WEEK("$dayOfWeek", DateParts::dayOfWeek),
  HOUR("$hour", ZonedDateTime::getHour),
  MINUTE("$minute", ZonedDateTime::getMinute),
  SECOND("$second", ZonedDateTime::getSecond),
  MILLISECOND("$millisecond", date -> date.getNano() / 1_000_000),
  WEEK("$week", DateParts::week),
  ISO_DAY_OF_WEEK("$isoDayOfWeek", date -> date.getDayOfWeek().getValue()),
  ISO_WEEK("$isoWeek", date -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
  ISO_WEEK_YEAR("$isoWeekYear", date -> date.get(IsoFields.WEEK_BASED_YEAR));

  private final String operator;
  private final ToIntFunction<ZonedDateTime> part;

  DateParts(String operator, ToIntFunction<ZonedDateTime> part) {
    this.operator = operator;
    this.part = part;
  }

  String operator() {
    return operator;
  }

  RawValue of(ZonedDateTime date) {
    int value = part.applyAsInt(date);
    return this == ISO_WEEK_YEAR ? RawValue.ofInt64(value) : RawValue.ofInt32(value);
  }

  /** 1 for Sunday to 7 for Saturday. */
  static int dayOfWeek(ZonedDateTime date) {
    return date.getDayOfWeek().getValue() % 7 + 1;
  }

  /** Weeks begin on Sundays; days before the first one are in week 0. */
  static int week(ZonedDateTime date) {
    return (date.getDayOfYear() - dayOfWeek(date) + 7) / 7;
  }
}
