package dev.wisent.query.expression.date;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a date that a text has, read specifier by specifier. As in MongoDB, all mistakes are
 * told and not only the first one.
 */
final class DateFields {
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final Set<String> MONTH_NAMES =
      Set.of(
          "january",
          "february",
          "march",
          "april",
          "may",
          "june",
          "july",
          "august",
          "september",
          "sept",
          "october",
          "november",
          "december");
  private static final Set<String> UTC_NAMES = Set.of("z", "utc", "gmt");
  private static final Pattern OFFSET = Pattern.compile("[+-](\\d{1,2})(?::?(\\d{2}))?");
  private static final int UNSET = -1;

  private final String text;
  private final String format;
  private final StringBuilder mistakes = new StringBuilder();
  private int at;
  private int year = UNSET;
  private int month = UNSET;
  private int day = UNSET;
  private int isoYear = UNSET;
  private int isoWeek = UNSET;
  private int isoDay = UNSET;
  private int hour = UNSET;
  private int minute = UNSET;
  private int second = UNSET;
  private int millis = UNSET;
  private String offset;

  DateFields(String text, String format) {
    this.text = text;
    this.format = format;
  }

  long read(ZoneId zone) {
    int i = 0;
    while (i < format.length() && at < text.length()) {
      char c = format.charAt(i++);
      if (c == '%') {
        specifier(format.charAt(i++));
      } else {
        literal(c);
      }
    }
    if (at < text.length()) {
      mistake("Trailing data", at);
    }
    if (i < format.length()) {
      mistake("Not enough data available to satisfy format", at);
    }
    LocalDate date = day();
    LocalTime time = time();
    if (!mistakes.isEmpty()) {
      throw DateTexts.failure(text, mistakes.toString());
    }
    if (date == null) {
      throw DateTexts.incomplete(text);
    }
    return DateTexts.at(date.atTime(time), offset, zone);
  }

  private void specifier(char specifier) {
    switch (specifier) {
      case 'Y' -> year = digits(1, 4, "A four digit year could not be found");
      case 'm' -> month = digits(1, 2, "A two digit month could not be found");
      case 'd' -> day = digits(1, 2, "A two digit day could not be found");
      case 'H' -> hour = digits(1, 2, "A two digit hour could not be found");
      case 'M' -> minute = digits(2, 2, "A two digit minute could not be found");
      case 'S' -> second = digits(2, 2, "A two digit second could not be found");
      case 'L' -> millis = fraction();
      case 'j' -> dayOfYear();
      case 'G' -> isoYear = number(1, 4, "A four digit ISO year could not be found");
      case 'V' ->
          isoWeek =
              between(
                  number(1, 2, "A two digit ISO week could not be found"),
                  53,
                  "ISO Week must be between 1 and 53");
      case 'u' ->
          isoDay =
              between(
                  number(1, 1, "A single digit day of week could not be found"),
                  7,
                  "Day of week must be between 1 and 7");
      case 'b', 'B' -> month = monthName();
      case 'z' -> offset = zone();
      case 'Z' -> offset = minutes();
      default -> literal(specifier);
    }
  }

  private void literal(char c) {
    if (text.charAt(at) != c) {
      mistake("Format literal not found", at);
    }
    at++;
  }

  private int digits(int min, int max, String complaint) {
    if (!isDigit(at)) {
      mistake("Unexpected data found.", at);
    }
    return number(min, max, complaint);
  }

  /** What comes before the first digit is passed over. */
  private int number(int min, int max, String complaint) {
    int begin = at;
    while (at < text.length() && !isDigit(at)) {
      at++;
    }
    int start = at;
    while (at - start < max && isDigit(at)) {
      at++;
    }
    if (at - start < min) {
      mistake(complaint, begin);
      return UNSET;
    }
    return Integer.parseInt(text.substring(start, at));
  }

  private boolean isDigit(int position) {
    return position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9';
  }

  private int between(int number, int max, String complaint) {
    if (number != UNSET && (number < 1 || number > max)) {
      mistake(complaint, at - Integer.toString(number).length());
    }
    return number;
  }

  private int fraction() {
    int begin = at;
    int number = digits(1, 3, "A three digit millisecond could not be found");
    return switch (at - begin) {
      case 1 -> number * 100;
      case 2 -> number * 10;
      default -> number;
    };
  }

  /** Counted from zero, unlike the one that {@code $dateToString} writes. */
  private void dayOfYear() {
    if (year == UNSET) {
      mistake("A 'day of year' can only come after a year has been found", at);
    }
    int number = digits(1, 3, "A three digit day-of-year could not be found");
    if (year != UNSET && number != UNSET) {
      LocalDate date = LocalDate.of(year, 1, 1).plusDays(number);
      year = date.getYear();
      month = date.getMonthValue();
      day = date.getDayOfMonth();
    }
  }

  private int monthName() {
    int begin = at;
    String word = word("");
    if (MONTHS.contains(word) || MONTH_NAMES.contains(word)) {
      return MONTHS.indexOf(word.substring(0, 3)) + 1;
    }
    mistake("A textual month could not be found", begin);
    return UNSET;
  }

  /** The letters, and some other characters, that come next; in lower case. */
  private String word(String others) {
    int begin = at;
    while (at < text.length()
        && (isLetter(text.charAt(at)) || others.indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return text.substring(begin, at).toLowerCase(Locale.ROOT);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private String zone() {
    int begin = at;
    Matcher matcher = OFFSET.matcher(text).region(at, text.length());
    if (matcher.lookingAt()) {
      at = matcher.end();
      int minutes = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
      return offset(text.charAt(begin), Integer.parseInt(matcher.group(1)) * 60 + minutes);
    }
    if (UTC_NAMES.contains(word("/_"))) {
      return "Z";
    }
    mistake("passing a time zone identifier as part of the string is not allowed", begin);
    return null;
  }

  /** An offset in minutes: {@code +090}. */
  private String minutes() {
    char sign = text.charAt(at);
    if (sign != '+' && sign != '-') {
      mistake("Invalid timezone offset in minutes", at);
      return null;
    }
    at++;
    return offset(sign, isDigit(at) ? number(1, 4, "") : 0);
  }

  private static String offset(char sign, int minutes) {
    return "%s%02d:%02d".formatted(sign, minutes / 60, minutes % 60);
  }

  /** Null where something is missing, or wrong. */
  private LocalDate day() {
    boolean iso = isoYear != UNSET || isoWeek != UNSET || isoDay != UNSET;
    boolean natural = year != UNSET || month != UNSET || day != UNSET;
    if (year != UNSET && iso) {
      mistake("Mixing of ISO dates with natural dates is not allowed", at);
    }
    if (isoYear != UNSET && natural) {
      mistake("Mixing of ISO dates with natural dates is not allowed", at);
    }
    if (iso && isoYear == UNSET) {
      mistake("The parsed date was invalid", at);
    }
    if (!mistakes.isEmpty()) {
      return null;
    }
    if (iso) {
      return LocalDate.of(isoYear, 1, 4)
          .with(ChronoField.DAY_OF_WEEK, isoDay == UNSET ? 1 : isoDay)
          .plusWeeks(isoWeek == UNSET ? 0 : isoWeek - 1L);
    }
    if (year == UNSET || month == UNSET || day == UNSET) {
      return null;
    }
    try {
      return LocalDate.of(year, month, day);
    } catch (DateTimeException e) {
      mistake("The parsed date was invalid", at);
      return null;
    }
  }

  private LocalTime time() {
    try {
      return LocalTime.of(
          Math.max(hour, 0),
          Math.max(minute, 0),
          Math.max(second, 0),
          Math.max(millis, 0) * 1_000_000);
    } catch (DateTimeException e) {
      mistake("The parsed time was invalid", at);
      return null;
    }
  }

  private void mistake(String complaint, int position) {
    mistakes.append("; ").append(position).append(": ").append(complaint).append(" '");
    mistakes.append(position < text.length() ? text.charAt(position) : '\0').append('\'');
  }
}
