package dev.wisent.tools.text;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of CSV (RFC 4180: quoted values may have commas, quotes and line breaks in them) or TSV
 * (values as they are). Empty lines are left out. Not thread-safe.
 */
public final class Rows {
  private static final int END = -1;

  private final Reader in;
  private final char separator;
  private final boolean quotes;
  private int pushedBack = -2;
  private long line = 1;
  private boolean first = true;

  private Rows(Reader in, char separator, boolean quotes) {
    this.in = in;
    this.separator = separator;
    this.quotes = quotes;
  }

  public static Rows csv(Reader in) {
    return new Rows(in, ',', true);
  }

  public static Rows tsv(Reader in) {
    return new Rows(in, '\t', false);
  }

  /** The line after the row that was read. */
  public long line() {
    return line;
  }

  /** The next row; null at the end. */
  public List<String> next() throws IOException, TextException {
    int c = read();
    if (first && c == '\uFEFF') {
      c = read();
    }
    first = false;
    while (c == '\n' || c == '\r') {
      c = read();
    }
    if (c == END) {
      return null;
    }
    List<String> row = new ArrayList<>();
    while (true) {
      var value = new StringBuilder();
      c = quotes && c == '"' ? quoted(value) : plain(c, value);
      row.add(value.toString());
      if (c != separator) {
        return row; // at the end of the line, or of all
      }
      c = read();
    }
  }

  /** Returns the separator, the end of the line, or that of all. */
  private int plain(int begin, StringBuilder value) throws IOException {
    int c = begin;
    while (c != separator && c != '\n' && c != END) {
      if (c == '\r') {
        int next = read();
        if (next == '\n' || next == END) {
          return next;
        }
        pushedBack = next;
      }
      value.append((char) c);
      c = read();
    }
    return c;
  }

  private int quoted(StringBuilder value) throws IOException, TextException {
    long begin = line;
    while (true) {
      int c = read();
      if (c == END) {
        throw new TextException("line " + begin + ": a quote is not closed");
      }
      if (c != '"') {
        value.append((char) c);
        continue;
      }
      c = read();
      if (c == '\r') {
        c = read();
      }
      if (c == '"') {
        value.append('"');
      } else if (c == separator || c == '\n' || c == END) {
        return c;
      } else {
        throw new TextException(
            "line " + line + ": after a closing quote comes '" + (char) c + "'");
      }
    }
  }

  private int read() throws IOException {
    if (pushedBack != -2) {
      int c = pushedBack;
      pushedBack = -2;
      return c;
    }
    int c = in.read();
    if (c == '\n') {
      line++;
    }
    return c;
  }
}
