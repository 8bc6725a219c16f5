package dev.wisent.bench.data;

import java.util.List;

/** Writes a document's fields as JSON. */
public final class JsonSink implements FieldSink {
  private static final int INITIAL_CHARS = 1536;

  private final StringBuilder out = new StringBuilder(INITIAL_CHARS);

  /** Whether the next field of the innermost open document needs a comma before it. */
  private boolean comma;

  private JsonSink() {}

  static String encode(BenchDocument document) {
    JsonSink sink = new JsonSink();
    sink.out.append('{');
    document.writeFields(sink);
    return sink.out.append('}').toString();
  }

  /** The string as a JSON value with its quotes. */
  public static String quote(String value) {
    StringBuilder out = new StringBuilder(value.length() + 2);
    appendQuoted(out, value);
    return out.toString();
  }

  private static void appendQuoted(StringBuilder out, String value) {
    out.append('"');
    if (needsEscape(value)) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '"' || c == '\\') {
          out.append('\\').append(c);
        } else if (c < ' ') {
          out.append(String.format("\\u%04x", (int) c));
        } else {
          out.append(c);
        }
      }
    } else {
      out.append(value);
    }
    out.append('"');
  }

  private static boolean needsEscape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\' || c < ' ') {
        return true;
      }
    }
    return false;
  }

  private StringBuilder name(String name) {
    if (comma) {
      out.append(',');
    }
    comma = true;
    appendQuoted(out, name);
    return out.append(':');
  }

  @Override
  public void string(String name, String value) {
    appendQuoted(name(name), value);
  }

  @Override
  public void int32(String name, int value) {
    name(name).append(value);
  }

  @Override
  public void int64(String name, long value) {
    name(name).append(value);
  }

  /** As a number, which PostgreSQL can index; it cannot index a text read as a time. */
  @Override
  public void date(String name, long millis) {
    name(name).append(millis);
  }

  @Override
  public void float64(String name, double value) {
    name(name).append(value);
  }

  @Override
  public void bool(String name, boolean value) {
    name(name).append(value);
  }

  @Override
  public void point(String name, double longitude, double latitude) {
    name(name).append('[').append(longitude).append(',').append(latitude).append(']');
  }

  @Override
  public void strings(String name, List<String> values) {
    name(name).append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      appendQuoted(out, values.get(i));
    }
    out.append(']');
  }

  @Override
  public void startDocument(String name) {
    name(name).append('{');
    comma = false;
  }

  @Override
  public void endDocument() {
    out.append('}');
    comma = true;
  }
}
