package dev.wisent.query.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The plain text that a pattern starts with. */
final class RegexLiteral {
  private static final String SPECIAL = "\\^$.[]|()?*+{}";
  private static final RegexLiteral NONE = new RegexLiteral("", false, false);

  private final String text;
  private final byte[] utf8;
  private final boolean anchored;
  private final boolean complete;

  private RegexLiteral(String text, boolean anchored, boolean complete) {
    this.text = text;
    this.utf8 = text.getBytes(StandardCharsets.UTF_8);
    this.anchored = anchored;
    this.complete = complete;
  }

  static RegexLiteral of(String pattern, String options) {
    // With these flags letters, ^ or blanks do not mean what they are.
    if (options.indexOf('i') >= 0 || options.indexOf('m') >= 0 || options.indexOf('x') >= 0) {
      return NONE;
    }
    if (hasAlternative(pattern)) {
      return NONE;
    }
    int start = pattern.startsWith("^") ? 1 : pattern.startsWith("\\A") ? 2 : 0;
    var text = new StringBuilder();
    int at = start;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      boolean escaped = c == '\\';
      if (escaped) {
        if (at + 1 == pattern.length() || !isEscapedLiteral(pattern.charAt(at + 1))) {
          break;
        }
        c = pattern.charAt(at + 1);
      } else if (SPECIAL.indexOf(c) >= 0) {
        break;
      }
      int next = at + (escaped ? 2 : 1);
      if (next < pattern.length() && isQuantifier(pattern.charAt(next))) {
        if (Character.isLowSurrogate(c)) {
          text.setLength(text.length() - 1);
        }
        break;
      }
      text.append(c);
      at = next;
    }
    return new RegexLiteral(text.toString(), start > 0, at == pattern.length());
  }

  /** A quantifier makes the character before it optional or repeated. */
  private static boolean isQuantifier(char c) {
    return c == '?' || c == '*' || c == '+' || c == '{';
  }

  private static boolean isEscapedLiteral(char c) {
    return c < 0x80 && !Character.isLetterOrDigit(c);
  }

  /** Any bar, even one that stands for itself: finding out would cost more than it brings. */
  private static boolean hasAlternative(String pattern) {
    return pattern.indexOf('|') >= 0;
  }

  String text() {
    return text;
  }

  /** The text must stand at the beginning of the string. */
  boolean anchored() {
    return anchored;
  }

  /** There is nothing else in the pattern. */
  boolean complete() {
    return complete;
  }

  boolean isIn(byte[] bytes, int start, int end) {
    if (anchored) {
      return end - start >= utf8.length
          && Arrays.equals(bytes, start, start + utf8.length, utf8, 0, utf8.length);
    }
    if (utf8.length == 0) {
      return true;
    }
    for (int at = start; at <= end - utf8.length; at++) {
      if (bytes[at] == utf8[0]
          && Arrays.equals(bytes, at, at + utf8.length, utf8, 0, utf8.length)) {
        return true;
      }
    }
    return false;
  }
}
