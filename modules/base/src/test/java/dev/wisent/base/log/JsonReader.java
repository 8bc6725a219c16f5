package dev.wisent.base.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict JSON parser, so that tests check lines against the grammar and not against our writer.
 */
final class JsonReader {
  private final String text;
  private int position;

  private JsonReader(String text) {
    this.text = text;
  }

  static Map<String, Object> object(String text) {
    JsonReader reader = new JsonReader(text);
    Map<String, Object> result = reader.object();
    if (reader.position != text.length()) {
      throw reader.bad("text after the end");
    }
    return result;
  }

  private Object value() {
    return switch (text.charAt(position)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> result = new LinkedHashMap<>();
    expect('{');
    while (!skip('}')) {
      if (!result.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      if (result.containsKey(name)) {
        throw bad("field twice: " + name);
      }
      result.put(name, value());
    }
    return result;
  }

  private List<Object> array() {
    List<Object> result = new ArrayList<>();
    expect('[');
    while (!skip(']')) {
      if (!result.isEmpty()) {
        expect(',');
      }
      result.add(value());
    }
    return result;
  }

  private String string() {
    expect('"');
    StringBuilder result = new StringBuilder();
    while (!skip('"')) {
      char c = text.charAt(position++);
      if (c < 0x20) {
        throw bad("control character in a string");
      }
      result.append(c == '\\' ? escape() : c);
    }
    return result.toString();
  }

  private char escape() {
    char c = text.charAt(position++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> (char) Integer.parseInt(text, position, position += 4, 16);
      default -> throw bad("unknown escape " + c);
    };
  }

  private Object number() {
    int start = position;
    while (position < text.length() && "+-.eE0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    String digits = text.substring(start, position);
    if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      throw bad("not a number: " + digits);
    }
    return digits.matches("-?[0-9]+") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, position)) {
      throw bad("unknown word");
    }
    position += word.length();
    return value;
  }

  private boolean skip(char c) {
    if (text.charAt(position) == c) {
      position++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!skip(c)) {
      throw bad("expected " + c);
    }
  }

  private IllegalArgumentException bad(String what) {
    return new IllegalArgumentException(what + " at " + position + " of " + text);
  }
}
