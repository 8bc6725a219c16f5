package dev.wisent.query.expression.date;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** The parts of a date that a text has, read specifier by specifier. */
final class DateFields {
  private static final String[] MONTHS = {
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december"
  };
  private static final int UNSET = -1;

  private final String text;
  private final String format;
  private int at;
  private int year = UNSET;
  private int month = UNSET;
  private int day = UNSET;
  private int dayOfYear = UNSET;
  private int isoYear = UNSET;
  private int isoWeek = UNSET;
  private int isoDay = UNSET;
  private int hour = UNSET;
  private int minute = UNSET;
  private int second = UNSET;
  private int millis;
  private String offset;

  DateFields(String text, String format) {
    this.text = text;
    this.format = format;
  }

  long read(ZoneId zone) {
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%') {
        specifier(format.charAt(++i));
      } else {
        literal(c);
      }
    }
    if (at < text.length()) {
      throw failure("Trailing data");
    }
    try {
      return DateTexts.at(day().atTime(time()), offset, zone);
    } catch (DateTimeException e) {
      throw failure("The parsed date was invalid");
    }
  }

  private void specifier(char specifier) {
    switch (specifier) {
      case 'Y' -> year = number(4, 4, "A four digit year could not be found");
      case 'm' -> month = number(1, 2, "A two digit month could not be found");
      case 'd' -> day = number(1, 2, "A two digit day could not be found");
      case 'H' -> hour = number(1, 2, "A two digit hour could not be found");
      case 'M' -> minute = number(1, 2, "A two digit minute could not be found");
      case 'S' -> second = number(1, 2, "A two digit second could not be found");
      case 'L' -> millis = number(1, 3, "A three digit millisecond could not be found");
      case 'j' -> dayOfYear = number(1, 3, "A three digit day-of-year could not be found");
      case 'G' -> isoYear = number(4, 4, "A four digit ISO year could not be found");
      case 'V' -> isoWeek = number(1, 2, "A two digit ISO week could not be found");
      case 'u' -> isoDay = number(1, 1, "A one digit ISO day of week could not be found");
      case 'b' -> month = monthName(3);
      case 'B' -> month = monthName(0);
      case 'z' -> offset = zone();
      case 'Z' -> offset = minutes();
      default -> literal(specifier);
    }
  }

  private void literal(char c) {
    if (at >= text.length() || text.charAt(at) != c) {
      throw failure("The separation symbol could not be found");
    }
    at++;
  }

  private int number(int min, int max, String complaint) {
    int start = at;
    while (at < text.length() && at - start < max && isDigit(text.charAt(at))) {
      at++;
    }
    if (at - start < min) {
      at = start;
      throw failure(complaint);
    }
    return Integer.parseInt(text.substring(start, at));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** So many letters of the name, or 0 for all of it. */
  private int monthName(int letters) {
    String rest = text.substring(at).toLowerCase(Locale.ROOT);
    for (int i = 0; i < MONTHS.length; i++) {
      String name = letters == 0 ? MONTHS[i] : MONTHS[i].substring(0, letters);
      if (rest.startsWith(name)) {
        at += name.length();
        return i + 1;
      }
    }
    throw failure("A textual month could not be found");
  }

  private String zone() {
    int start = at;
    if (at < text.length() && (text.charAt(at) == 'Z' || text.charAt(at) == 'z')) {
      at++;
      return "Z";
    }
    if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      at++;
      while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == ':')) {
        at++;
      }
      String found = text.substring(start, at);
      if (found.matches("[+-]\\d{2}(:?\\d{2})?")) {
        return found;
      }
    }
    at = start;
    throw failure("The timezone could not be found in the database");
  }

  /** An offset in minutes: {@code +090}. */
  private String minutes() {
    int start = at;
    if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      at++;
      int minutes = number(1, 4, "Invalid timezone offset in minutes");
      return "%s%02d:%02d".formatted(text.charAt(start), minutes / 60, minutes % 60);
    }
    throw failure("Invalid timezone offset in minutes");
  }

  private LocalDate day() {
    if (isoYear != UNSET && isoWeek != UNSET) {
      return LocalDate.of(isoYear, 1, 4)
          .with(ChronoField.DAY_OF_WEEK, isoDay == UNSET ? 1 : isoDay)
          .plusWeeks(isoWeek - 1L);
    }
    if (year != UNSET && dayOfYear != UNSET) {
      return LocalDate.ofYearDay(year, dayOfYear);
    }
    if (year == UNSET || month == UNSET || day == UNSET) {
      throw DateTexts.incomplete(text);
    }
    return LocalDate.of(year, month, day);
  }

  private LocalTime time() {
    if (hour == UNSET && minute == UNSET && second == UNSET) {
      return LocalTime.ofNanoOfDay(millis * 1_000_000L);
    }
    if (hour == UNSET) {
      throw DateTexts.incomplete(text);
    }
    return LocalTime.of(hour, Math.max(minute, 0), Math.max(second, 0), millis * 1_000_000);
  }

  private RuntimeException failure(String complaint) {
    String found = at < text.length() ? text.substring(at, at + 1) : "";
    return DateTexts.failure(text, "; " + at + ": " + complaint + " '" + found + "'");
  }
}
