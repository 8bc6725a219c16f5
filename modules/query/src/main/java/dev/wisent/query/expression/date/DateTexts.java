package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads dates from text: in a given format, or in one of those that people use. MongoDB's own
 * reader knows some more, such as {@code "tomorrow"}; these are refused here.
 */
public final class DateTexts {
  private static final String MONTHS =
      "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";

  /** Year, month and day are groups by these names, whatever their order. */
  private static final List<Pattern> PATTERNS =
      List.of(
          pattern("(?<y>\\d{4})-(?<m>\\d{1,2})-(?<d>\\d{1,2})"),
          pattern("(?<y>\\d{4})/(?<m>\\d{1,2})/(?<d>\\d{1,2})"),
          pattern("(?<y>\\d{4})(?<m>\\d{2})(?<d>\\d{2})"),
          pattern("(?<m>\\d{1,2})/(?<d>\\d{1,2})/(?<y>\\d{4}|\\d{2})"),
          pattern("(?<d>\\d{1,2})[-.](?<m>\\d{1,2})[-.](?<y>\\d{4})"),
          pattern(
              "(?:[A-Za-z]{3,9},?\\s+)?(?<name>"
                  + MONTHS
                  + ")\\s+(?<d>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<y>\\d{4})"),
          pattern(
              "(?:[A-Za-z]{3,9},?\\s+)?(?<d>\\d{1,2})(?:st|nd|rd|th)?[\\s-]+(?<name>"
                  + MONTHS
                  + "),?[\\s-]+(?<y>\\d{4})"));

  private static final Pattern INCOMPLETE =
      Pattern.compile("\\d{4}-\\d{2}|\\d{1,2}:\\d{2}(:\\d{2})?");

  private DateTexts() {}

  private static Pattern pattern(String date) {
    return Pattern.compile(
        "\\s*"
            + date
            + "(?:(?:(?<t>T)|\\s+|\\s*,\\s*)(?<H>\\d{1,2})"
            + "(?::(?<M>\\d{2})(?::(?<S>\\d{2})(?:[.,](?<F>\\d{1,9}))?)?)?"
            + "\\s*(?<ap>[ap]\\.?m\\.?)?)?"
            + "\\s*(?:(?:GMT|UTC)?(?<o>[+-]\\d{2}(?::?\\d{2})?)|(?<z>Z|UTC|GMT))?\\s*",
        Pattern.CASE_INSENSITIVE);
  }

  /** Reads a date in whatever format; milliseconds since the epoch. */
  public static long parse(String text, ZoneId zone) {
    for (Pattern pattern : PATTERNS) {
      Matcher matcher = pattern.matcher(text);
      if (matcher.matches() && hasTime(matcher)) {
        try {
          return date(matcher, zone);
        } catch (DateTimeException e) {
          throw failure(text, "; 0: Unexpected character '" + text.charAt(0) + "'");
        }
      }
    }
    if (text.isEmpty()) {
      throw failure(text, "; 0: Empty string '\0'");
    }
    if (INCOMPLETE.matcher(text).matches()) {
      throw incomplete(text);
    }
    throw failure(text, "; 0: Unexpected character '" + text.charAt(0) + "'");
  }

  /** Whether the time, if there is one, is whole: minutes may be left out before am and pm only. */
  private static boolean hasTime(Matcher matcher) {
    if (matcher.group("ap") == null) {
      return matcher.group("H") == null || matcher.group("M") != null;
    }
    int hour = Integer.parseInt(matcher.group("H"));
    return hour >= 1 && hour <= 12 && matcher.group("t") == null && matcher.group("F") == null;
  }

  private static long date(Matcher matcher, ZoneId zone) {
    int year = year(matcher.group("y"));
    int month =
        matcher.namedGroups().containsKey("name")
            ? month(matcher.group("name"))
            : Integer.parseInt(matcher.group("m"));
    LocalDate day = LocalDate.of(year, month, Integer.parseInt(matcher.group("d")));
    LocalDateTime local = day.atTime(time(matcher));
    return at(local, matcher.group(matcher.group("o") == null ? "z" : "o"), zone);
  }

  /** Two digits are a year from 1970 to 2069. */
  private static int year(String digits) {
    int year = Integer.parseInt(digits);
    return digits.length() > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
  }

  private static LocalTime time(Matcher matcher) {
    if (matcher.group("H") == null) {
      return LocalTime.MIDNIGHT;
    }
    int hour = Integer.parseInt(matcher.group("H"));
    String half = matcher.group("ap");
    if (half != null) {
      hour = hour % 12 + (half.toLowerCase(Locale.ROOT).startsWith("p") ? 12 : 0);
    }
    int second = matcher.group("S") == null ? 0 : Integer.parseInt(matcher.group("S"));
    String fraction = matcher.group("F");
    int nanos = fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
    int minute = matcher.group("M") == null ? 0 : Integer.parseInt(matcher.group("M"));
    return LocalTime.of(hour, minute, second, nanos);
  }

  private static int month(String name) {
    return "janfebmaraprmayjunjulaugsepoctnovdec"
                .indexOf(name.substring(0, 3).toLowerCase(Locale.ROOT))
            / 3
        + 1;
  }

  /**
   * @param offset what the text says, or null
   */
  static long at(LocalDateTime local, String offset, ZoneId zone) {
    if (offset == null) {
      return local.atZone(zone).toInstant().toEpochMilli();
    }
    if (!zone.equals(ZoneOffset.UTC)) {
      boolean name = Character.isLetter(offset.charAt(0));
      throw new CommandException(
          ErrorCode.CONVERSION_FAILURE,
          name
              ? "you cannot pass in a date/time string with time zone information ('"
                  + offset.toUpperCase(Locale.ROOT)
                  + "') together with a timezone argument"
              : "you cannot pass in a date/time string with GMT offset together with a timezone"
                  + " argument");
    }
    ZoneId given = Character.isLetter(offset.charAt(0)) ? ZoneOffset.UTC : TimeZones.of(offset);
    return local.atZone(given).toInstant().toEpochMilli();
  }

  /** Reads a date in a format that was checked before. */
  static long parse(String text, String format, ZoneId zone) {
    return new DateFields(text, format).read(zone);
  }

  static CommandException failure(String text, String reason) {
    return new CommandException(
        ErrorCode.CONVERSION_FAILURE, "Error parsing date string '" + text + "'" + reason);
  }

  static CommandException incomplete(String text) {
    return new CommandException(
        ErrorCode.CONVERSION_FAILURE,
        "an incomplete date/time string has been found, with elements missing: \"" + text + "\"");
  }
}
