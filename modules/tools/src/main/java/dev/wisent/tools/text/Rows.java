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

  /** More than any document has as text: binary values may be hexadecimal. */
  private static final int ROW_CHARS_MAX = 64 << 20;

  private final Reader in;
  private final char separator;
  private final boolean quotes;
  private int pushedBack = -2;
  private long line = 1;
  private final int rowCharsMax;
  private long rowLine;
  private int rowChars;
  private boolean first = true;

  private Rows(Reader in, char separator, boolean quotes, int rowCharsMax) {
    this.in = in;
    this.separator = separator;
    this.quotes = quotes;
    this.rowCharsMax = rowCharsMax;
  }

  public static Rows csv(Reader in) {
    return csv(in, ROW_CHARS_MAX);
  }

  static Rows csv(Reader in, int rowCharsMax) {
    return new Rows(in, ',', true, rowCharsMax);
  }

  public static Rows tsv(Reader in) {
    return new Rows(in, '\t', false, ROW_CHARS_MAX);
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
    rowLine = line;
    rowChars = 0;
    List<String> row = new ArrayList<>();
    while (true) {
      var value = new StringBuilder();
      c = quotes && c == '"' ? quoted(value) : plain(c, value);
      row.add(value.toString());
      if (c != separator) {
        return row; // at the end of the line, or of all
      }
      count();
      c = read();
    }
  }

  /** Returns the separator, the end of the line, or that of all. */
  private int plain(int begin, StringBuilder value) throws IOException, TextException {
    int c = begin;
    while (c != separator && c != '\n' && c != END) {
      if (c == '\r') {
        int next = read();
        if (next == '\n' || next == END) {
          return next;
        }
        pushedBack = next;
      }
      append(c, value);
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
        append(c, value);
        continue;
      }
      c = read();
      if (c == '\r') {
        c = read();
      }
      if (c == '"') {
        append(c, value);
      } else if (c == separator || c == '\n' || c == END) {
        return c;
      } else {
        throw new TextException(
            "line " + line + ": after a closing quote comes '" + (char) c + "'");
      }
    }
  }

  private void append(int c, StringBuilder value) throws TextException {
    count();
    value.append((char) c);
  }

  /** Counts a character of the row: a quote that is not closed takes the rest of the file. */
  private void count() throws TextException {
    rowChars++;
    if (rowChars > rowCharsMax) {
      throw new TextException(
          "line %d: the row is larger than any%s"
              .formatted(rowLine, quotes ? "; is a quote not closed?" : ""));
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
