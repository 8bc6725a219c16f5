package dev.wisent.tools.text;

import java.io.IOException;
import java.io.Reader;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.json.JsonParseException;

/**
 * Documents of Extended JSON one after the other, or as the elements of one array. Only one of them
 * is in memory. Not thread-safe.
 */
public final class JsonDocuments {
  private static final int END = -1;
  private static final int BYTE_ORDER_MARK = '\uFEFF';
  private static final int TEXT_MAX = 256 << 20;

  private final Reader in;
  private final boolean array;
  private final char[] buffer = new char[1 << 15];
  private int at;
  private int filled;
  private boolean begun;
  private boolean ended;
  private long line = 1;
  private long documents;

  public JsonDocuments(Reader in, boolean array) {
    this.in = in;
    this.array = array;
  }

  /** The line of what is read next, from 1. */
  public long line() {
    return line;
  }

  /** The next document; null at the end. */
  public BsonDocument next() throws IOException, TextException {
    int c = begin();
    if (c == END) {
      return null;
    }
    if (c != '{') {
      throw wrong("a document begins with '{', not with '" + (char) c + "'");
    }
    long begin = line;
    String text = text();
    documents++;
    try {
      return BsonDocument.parse(text);
    } catch (JsonParseException | BSONException | IllegalArgumentException e) {
      throw new TextException(
          "document %d, from line %d on: %s".formatted(documents, begin, e.getMessage()));
    }
  }

  /** Up to the first character of a document. */
  private int begin() throws IOException, TextException {
    int c = nonBlank();
    boolean first = !begun;
    begun = true;
    if (!array) {
      if (first && c == '[') {
        throw wrong("it begins with '[': give --jsonArray");
      }
      return c;
    }
    if (ended) {
      if (c != END) {
        throw wrong("something follows the array");
      }
      return END;
    }
    if (first) {
      if (c != '[') {
        throw wrong("--jsonArray needs a '[' at the begin");
      }
      c = nonBlank();
    } else if (c == ',') {
      return nonBlank();
    } else if (c != ']') {
      throw wrong("after a document comes ',' or ']'");
    }
    if (c == ']') {
      ended = true;
      return begin();
    }
    return c;
  }

  private int nonBlank() throws IOException {
    int c = read();
    while (c != END && (Character.isWhitespace(c) || (c == BYTE_ORDER_MARK && documents == 0))) {
      c = read();
    }
    return c;
  }

  /** From the first brace, which is read already, to the one that closes it. */
  private String text() throws IOException, TextException {
    var text = new StringBuilder("{");
    int depth = 1;
    int quote = 0;
    while (depth > 0) {
      int c = read();
      if (c == END) {
        throw wrong("it ends in the middle of a document");
      }
      text.append((char) c);
      if (text.length() > TEXT_MAX) {
        throw wrong("a document is larger than any");
      }
      if (quote != 0) {
        if (c == '\\') {
          int escaped = read();
          if (escaped != END) {
            text.append((char) escaped);
          }
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      }
    }
    return text.toString();
  }

  private int read() throws IOException {
    if (at == filled) {
      filled = in.read(buffer);
      at = 0;
      if (filled <= 0) {
        filled = 0;
        return END;
      }
    }
    char c = buffer[at];
    at++;
    if (c == '\n') {
      line++;
    }
    return c;
  }

  private TextException wrong(String why) {
    return new TextException("line %d: %s".formatted(line, why));
  }
}
