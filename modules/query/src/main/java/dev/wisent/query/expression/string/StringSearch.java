package dev.wisent.query.expression.string;

/**
 * Where a text has another one, in time that grows with their lengths only. What the platform
 * offers compares a long token anew at each place: a text of millions of equal letters would keep
 * it busy for hours.
 */
final class StringSearch {
  /** For tokens up to this length the platform's search takes no longer. */
  private static final int SHORT = 32;

  private StringSearch() {}

  /** The first place from {@code from} on; -1 where there is none. As {@link String#indexOf}. */
  static int indexOf(String text, String token, int from) {
    if (token.length() <= SHORT) {
      return text.indexOf(token, from);
    }
    if (token.length() > text.length() - from) {
      return -1;
    }
    int[] borders = borders(token);
    int matched = 0;
    for (int i = from; i < text.length(); i++) {
      matched = next(token, borders, matched, text.charAt(i));
      if (matched == token.length()) {
        return i + 1 - matched;
      }
    }
    return -1;
  }

  /** Replaces all that is found. */
  static String replace(String text, String token, String replacement) {
    if (token.length() <= SHORT) {
      return text.replace(token, replacement);
    }
    var out = new StringBuilder();
    int start = 0;
    for (int at = indexOf(text, token, 0); at >= 0; at = indexOf(text, token, start)) {
      out.append(text, start, at).append(replacement);
      start = at + token.length();
    }
    return start == 0 ? text : out.append(text, start, text.length()).toString();
  }

  /** For each part that the token begins with, how much of its end the token begins with, too. */
  private static int[] borders(String token) {
    int[] borders = new int[token.length()];
    int matched = 0;
    for (int i = 1; i < borders.length; i++) {
      matched = next(token, borders, matched, token.charAt(i));
      borders[i] = matched;
    }
    return borders;
  }

  private static int next(String token, int[] borders, int matched, char letter) {
    int length = matched;
    while (length > 0 && token.charAt(length) != letter) {
      length = borders[length - 1];
    }
    return token.charAt(length) == letter ? length + 1 : length;
  }
}
