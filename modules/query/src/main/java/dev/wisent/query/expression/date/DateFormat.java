package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Dates as text: {@code $dateToString} with its specifiers. */
public final class DateFormat {
  static final String ISO = "%Y-%m-%dT%H:%M:%S.%LZ";

  /** Without a zone of its own a date is in UTC, with another one its offset is not said. */
  static final String ISO_LOCAL = "%Y-%m-%dT%H:%M:%S.%L";

  private static final String SPECIFIERS = "bBdGHjLmMSwuUVYzZ";
  private static final int YEAR_MAX = 9999;

  private DateFormat() {}

  /** As {@code 2020-01-31T12:00:00.000Z}. */
  public static String iso(long epochMillis) {
    return format(ISO, epochMillis, ZoneOffset.UTC);
  }

  /** Refuses formats with unknown specifiers. */
  static void check(String format, String allowed) {
    for (int i = format.indexOf('%'); i >= 0; i = format.indexOf('%', i + 2)) {
      if (i + 1 == format.length()) {
        throw new CommandException(
            ErrorCode.DATE_FORMAT_END, "Unmatched '%' at end of format string");
      }
      char specifier = format.charAt(i + 1);
      if (specifier != '%' && allowed.indexOf(specifier) < 0) {
        throw new CommandException(
            ErrorCode.DATE_FORMAT_SPECIFIER,
            "Invalid format character '%" + specifier + "' in format string");
      }
    }
  }

  static void check(String format) {
    check(format, SPECIFIERS);
  }

  static String format(String format, long epochMillis, ZoneId zone) {
    ZonedDateTime date = Instant.ofEpochMilli(epochMillis).atZone(zone);
    var out = new StringBuilder(format.length() * 2);
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%') {
        append(format.charAt(++i), date, out);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void append(char specifier, ZonedDateTime date, StringBuilder out) {
    switch (specifier) {
      case 'b' -> out.append(date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
      case 'B' -> out.append(date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
      case 'd' -> pad(date.getDayOfMonth(), 2, out);
      case 'G' -> pad(year(date.get(IsoFields.WEEK_BASED_YEAR)), 4, out);
      case 'H' -> pad(date.getHour(), 2, out);
      case 'j' -> pad(date.getDayOfYear(), 3, out);
      case 'L' -> pad(date.getNano() / 1_000_000, 3, out);
      case 'm' -> pad(date.getMonthValue(), 2, out);
      case 'M' -> pad(date.getMinute(), 2, out);
      case 'S' -> pad(date.getSecond(), 2, out);
      case 'w' -> out.append(DateParts.dayOfWeek(date));
      case 'u' -> out.append(date.getDayOfWeek().getValue());
      case 'U' -> pad(DateParts.week(date), 2, out);
      case 'V' -> pad(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, out);
      case 'Y' -> pad(year(date.getYear()), 4, out);
      case 'z' -> {
        int minutes = date.getOffset().getTotalSeconds() / 60;
        out.append(minutes < 0 ? '-' : '+');
        pad(Math.abs(minutes) / 60, 2, out);
        pad(Math.abs(minutes) % 60, 2, out);
      }
      case 'Z' -> out.append(date.getOffset().getTotalSeconds() / 60);
      default -> out.append(specifier);
    }
  }

  private static int year(int year) {
    if (year < 0 || year > YEAR_MAX) {
      throw new CommandException(
          ErrorCode.DATE_FORMAT_YEAR,
          "Could not convert date to string: date component was outside the supported range of"
              + " 0-9999: "
              + year);
    }
    return year;
  }

  private static void pad(int number, int digits, StringBuilder out) {
    String text = Integer.toString(number);
    out.append("0".repeat(Math.max(0, digits - text.length()))).append(text);
  }
}
