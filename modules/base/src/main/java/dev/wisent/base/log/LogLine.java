package dev.wisent.base.log;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats an event. The order of fields is MongoDB's: {@code t s c id ctx msg attr tags truncated
 * size}.
 */
final class LogLine {
  /** Longer attributes are cut, as with MongoDB's {@code maxLogSizeKB} of 10. */
  static final int ATTRIBUTE_CHARS_MAX = 10 * 1024;

  private static final int FRAMES_MAX = 60;
  private static final int CAUSES_MAX = 5;

  private final StringBuilder out = new StringBuilder(256);

  /** Names and true lengths of attributes that were cut. */
  private final List<Cut> cuts = new ArrayList<>(0);

  private boolean hasAttributes;

  private record Cut(String name, String type, int chars) {}

  private LogLine() {}

  static String format(LogEvent event, long wallMillis, ZoneId zone) {
    return new LogLine().line(event, wallMillis, zone);
  }

  private String line(LogEvent event, long wallMillis, ZoneId zone) {
    out.append("{\"t\":{\"$date\":\"");
    appendTime(wallMillis, zone);
    out.append("\"},\"s\":\"").append(event.severity().code());
    out.append("\",\"c\":\"").append(event.component().logName());
    out.append("\",\"id\":").append(event.id()).append(",\"ctx\":");
    Json.appendString(out, event.context());
    out.append(",\"msg\":");
    Json.appendString(out, event.message());
    appendAttributes(event);
    if (event.startupWarning()) {
      out.append(",\"tags\":[\"startupWarnings\"]");
    }
    appendCuts();
    return out.append('}').toString();
  }

  private void appendAttributes(LogEvent event) {
    Object[] pairs = event.keyValues();
    for (int i = 0; i < pairs.length; i += 2) {
      // A name without a value is a mistake at the call site; the line is still worth having.
      attribute(String.valueOf(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : null);
    }
    if (event.error() != null) {
      attribute("error", event.error().toString());
      attribute("stackTrace", stackTrace(event.error()));
    }
    if (hasAttributes) {
      out.append('}');
    }
  }

  private void attribute(String name, Object value) {
    out.append(hasAttributes ? "," : ",\"attr\":{");
    hasAttributes = true;
    Json.appendString(out, name);
    out.append(':');
    int start = out.length();
    appendValue(out, value);
    int chars = out.length() - start;
    if (chars > ATTRIBUTE_CHARS_MAX) {
      cut(name, value, start, chars);
    }
  }

  /** Appends a value as JSON, or what hinders it. */
  static void appendValue(StringBuilder out, Object value) {
    int start = out.length();
    try {
      Json.appendValue(out, value);
    } catch (RuntimeException e) {
      // A value that cannot print itself must not take the caller down with it.
      out.setLength(start);
      Json.appendString(out, "unprintable " + value.getClass().getName() + ": " + e);
    }
  }

  /** Replaces a long value by its first part, as a string: half an object would not be JSON. */
  private void cut(String name, Object value, int start, int chars) {
    boolean text = value instanceof CharSequence;
    String beginning =
        text
            ? ((CharSequence) value).subSequence(0, keptChars((CharSequence) value)).toString()
            : out.substring(start, start + ATTRIBUTE_CHARS_MAX);
    out.setLength(start);
    Json.appendString(out, beginning);
    cuts.add(
        new Cut(name, text ? "string" : "object", text ? ((CharSequence) value).length() : chars));
  }

  private static int keptChars(CharSequence value) {
    return Math.min(value.length(), ATTRIBUTE_CHARS_MAX);
  }

  private void appendCuts() {
    if (cuts.isEmpty()) {
      return;
    }
    String separator = ",\"truncated\":{";
    for (Cut cut : cuts) {
      out.append(separator);
      Json.appendString(out, cut.name());
      out.append(":{\"type\":\"").append(cut.type());
      out.append("\",\"size\":").append(cut.chars()).append('}');
      separator = ",";
    }
    separator = "},\"size\":{";
    for (Cut cut : cuts) {
      out.append(separator);
      Json.appendString(out, cut.name());
      out.append(':').append(cut.chars());
      separator = ",";
    }
    out.append('}');
  }

  private static List<String> stackTrace(Throwable error) {
    List<String> frames = new ArrayList<>();
    Throwable cause = error;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++, cause = cause.getCause()) {
      if (i > 0) {
        frames.add("caused by " + cause);
      }
      StackTraceElement[] trace = cause.getStackTrace();
      for (int f = 0; f < trace.length && f < FRAMES_MAX; f++) {
        frames.add(trace[f].toString());
      }
    }
    return frames;
  }

  /**
   * {@code 2026-01-31T23:59:59.999+00:00}, by hand: a formatter is many classes for a start to
   * load.
   */
  private void appendTime(long wallMillis, ZoneId zone) {
    ZoneOffset offset = zone.getRules().getOffset(Instant.ofEpochMilli(wallMillis));
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(wallMillis, 1000), Math.floorMod(wallMillis, 1000) * 1_000_000, offset);
    appendPadded(time.getYear(), 4);
    out.append('-');
    appendPadded(time.getMonthValue(), 2);
    out.append('-');
    appendPadded(time.getDayOfMonth(), 2);
    out.append('T');
    appendPadded(time.getHour(), 2);
    out.append(':');
    appendPadded(time.getMinute(), 2);
    out.append(':');
    appendPadded(time.getSecond(), 2);
    out.append('.');
    appendPadded(time.getNano() / 1_000_000, 3);
    int minutes = Math.abs(offset.getTotalSeconds() / 60);
    out.append(offset.getTotalSeconds() < 0 ? '-' : '+');
    appendPadded(minutes / 60, 2);
    out.append(':');
    appendPadded(minutes % 60, 2);
  }

  private void appendPadded(int value, int digits) {
    String text = Integer.toString(value);
    for (int i = text.length(); i < digits; i++) {
      out.append('0');
    }
    out.append(text);
  }
}
