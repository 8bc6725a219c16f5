package dev.wisent.tools.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How dates are written, in the three ways that column types know: by the reference time of Go
 * ({@code 2006-01-02}), by the letters of .NET ({@code yyyy-MM-dd}), and by those of Oracle ({@code
 * YYYY-MM-DD}). Immutable.
 */
public final class DateLayout {
  /** Longer tokens come first, as each is looked for from the begin. */
  private static final Map<String, String> GO = new LinkedHashMap<>();

  private static final Map<String, String> NET = new LinkedHashMap<>();
  private static final Map<String, String> ORACLE = new LinkedHashMap<>();

  static {
    put(GO, "January MMMM", "Jan MMM", "Monday EEEE", "Mon EEE", "MST z", "2006 uuuu");
    put(GO, "Z07:00 ZZZZZ", "Z0700 X", "-07:00 xxx", "-0700 xx", "-07 x", "002 DDD");
    put(GO, ".000000000 .SSSSSSSSS", ".000000 .SSSSSS", ".000 .SSS");
    put(GO, ".999999999 [.SSSSSSSSS]", ".999999 [.SSSSSS]", ".999 [.SSS]");
    put(GO, "01 MM", "02 dd", "03 hh", "04 mm", "05 ss", "06 uu", "15 HH", "_2 ppd");
    put(GO, "PM a", "pm a", "1 M", "2 d", "3 h", "4 m", "5 s");
    put(NET, "yyyy uuuu", "yy uu", "MMMM MMMM", "MMM MMM", "MM MM", "M M", "dddd EEEE");
    put(NET, "ddd EEE", "dd dd", "d d", "HH HH", "H H", "hh hh", "h h", "mm mm", "m m");
    put(NET, "ss ss", "s s", "fffffff SSSSSSS", "ffffff SSSSSS", "fff SSS", "ff SS", "f S");
    put(NET, "FFF [SSS]", "tt a", "zzz xxx", "zz x", "K ZZZZZ");
    put(ORACLE, "YYYY uuuu", "YY uu", "MONTH MMMM", "MON MMM", "MM MM", "DAY EEEE", "DY EEE");
    put(ORACLE, "DDD DDD", "DD dd", "HH24 HH", "HH12 hh", "HH hh", "MI mm", "SS ss");
    put(ORACLE, "FF9 SSSSSSSSS", "FF6 SSSSSS", "FF3 SSS", "FF SSS", "AM a", "PM a");
    put(ORACLE, "TZH:TZM xxx", "TZHTZM xx", "TZH x", "TZR VV");
  }

  private static void put(Map<String, String> table, String... rows) {
    for (String row : rows) {
      int space = row.lastIndexOf(' ');
      table.put(row.substring(0, space), row.substring(space + 1));
    }
  }

  private final DateTimeFormatter formatter;
  private final String layout;

  private DateLayout(String layout, Map<String, String> tokens, boolean anyCase)
      throws TextException {
    this.layout = layout;
    var pattern = new StringBuilder();
    int at = 0;
    while (at < layout.length()) {
      String token = token(layout, at, tokens, anyCase);
      if (token == null) {
        pattern.append(literal(layout.charAt(at)));
        at++;
      } else {
        pattern.append(tokens.get(token));
        at += token.length();
      }
    }
    try {
      formatter =
          new DateTimeFormatterBuilder()
              .parseCaseInsensitive()
              .appendPattern(pattern.toString())
              .toFormatter(Locale.ENGLISH);
    } catch (IllegalArgumentException e) {
      throw new TextException("the layout '" + layout + "' of dates is not understood");
    }
  }

  private static String token(String layout, int at, Map<String, String> tokens, boolean anyCase) {
    for (String token : tokens.keySet()) {
      if (layout.regionMatches(anyCase, at, token, 0, token.length())) {
        return token;
      }
    }
    return null;
  }

  private static String literal(char c) {
    if (c == '\'') {
      return "''";
    }
    boolean plain = !Character.isLetter(c) && "[]{}#".indexOf(c) < 0;
    return plain ? String.valueOf(c) : "'" + c + "'";
  }

  static DateLayout go(String layout) throws TextException {
    return new DateLayout(layout, GO, false);
  }

  static DateLayout net(String layout) throws TextException {
    return new DateLayout(layout, NET, false);
  }

  static DateLayout oracle(String layout) throws TextException {
    return new DateLayout(layout, ORACLE, true);
  }

  /** Milliseconds since the epoch. What the layout does not have is the begin, in UTC. */
  long millis(String text) throws TextException {
    try {
      TemporalAccessor parsed = formatter.parse(text);
      LocalDate date = parsed.query(TemporalQueries.localDate());
      if (date == null) {
        int year = value(parsed, ChronoField.YEAR, 0);
        date = YearMonth.of(year, value(parsed, ChronoField.MONTH_OF_YEAR, 1)).atDay(1);
      }
      LocalTime time = parsed.query(TemporalQueries.localTime());
      if (time == null) {
        time = LocalTime.of(value(parsed, ChronoField.HOUR_OF_DAY, 0), 0);
      }
      ZoneId zone = parsed.query(TemporalQueries.zone());
      Instant instant = date.atTime(time).atZone(zone == null ? ZoneOffset.UTC : zone).toInstant();
      return instant.toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new TextException("'" + text + "' is no date like '" + layout + "'");
    } catch (DateTimeException | ArithmeticException e) {
      throw new TextException("'" + text + "' is no date: " + e.getMessage());
    }
  }

  private static int value(TemporalAccessor parsed, ChronoField field, int otherwise) {
    return parsed.isSupported(field) ? parsed.get(field) : otherwise;
  }

  /** For messages. */
  static List<String> names() {
    return List.of("date", "date_go", "date_ms", "date_oracle");
  }
}
