package dev.wisent.base.log;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Just enough JSON to write log lines; relaxed Extended JSON where plain JSON has no number. */
final class Json {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Json() {}

  /**
   * A chain of ifs: the first pattern switch of a process is linked at run time, on every start.
   */
  static void appendValue(StringBuilder out, Object value) {
    if (value instanceof CharSequence text) {
      appendString(out, text);
    } else if (value instanceof Double || value instanceof Float) {
      appendDouble(out, ((Number) value).doubleValue());
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof LogValue logValue) {
      logValue.appendJson(out);
    } else if (value instanceof Object[] items) {
      appendArray(out, Arrays.asList(items));
    } else if (value instanceof Map<?, ?> map) {
      appendObject(out, map);
    } else if (value instanceof Iterable<?> items && !(value instanceof Path)) {
      appendArray(out, items);
    } else {
      appendString(out, value.toString());
    }
  }

  private static void appendDouble(StringBuilder out, double number) {
    if (Double.isFinite(number)) {
      out.append(number);
    } else {
      out.append("{\"$numberDouble\":\"").append(number).append("\"}");
    }
  }

  private static void appendArray(StringBuilder out, Iterable<?> items) {
    out.append('[');
    String separator = "";
    for (Object item : items) {
      out.append(separator);
      appendValue(out, item);
      separator = ",";
    }
    out.append(']');
  }

  private static void appendObject(StringBuilder out, Map<?, ?> map) {
    out.append('{');
    String separator = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      appendString(out, String.valueOf(entry.getKey()));
      out.append(':');
      appendValue(out, entry.getValue());
      separator = ",";
    }
    out.append('}');
  }

  static void appendString(StringBuilder out, CharSequence text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < 0x20 || c == 0x7f || c == '\u2028' || c == '\u2029') {
            appendEscape(out, c);
          } else if (!Character.isSurrogate(c)) {
            out.append(c);
          } else if (isPair(text, i)) {
            out.append(c).append(text.charAt(++i));
          } else {
            // Half a pair has no UTF-8 form.
            out.append("\\ufffd");
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isPair(CharSequence text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }

  private static void appendEscape(StringBuilder out, char c) {
    out.append("\\u")
        .append(HEX[c >> 12])
        .append(HEX[(c >> 8) & 15])
        .append(HEX[(c >> 4) & 15])
        .append(HEX[c & 15]);
  }
}
