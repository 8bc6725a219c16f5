package dev.wisent.query.match;

/** Rewrites one character class, from bracket to bracket. */
final class PcreClassTranslator {
  private static final String CLASS_ESCAPES = "dDhHsSvVwWpP";

  private final String pattern;
  private final StringBuilder out;
  private int at;
  private boolean afterClass;

  PcreClassTranslator(String pattern, StringBuilder out) {
    this.pattern = pattern;
    this.out = out;
  }

  /** Returns where the pattern goes on behind the class that begins at {@code start}. */
  int translate(int start) {
    at = start + 1;
    out.append('[');
    if (pattern.startsWith("^", at)) {
      out.append('^');
      at++;
    }
    if (pattern.startsWith("]", at)) {
      out.append("\\]");
      at++;
    }
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      if (c == ']') {
        out.append(']');
        return at + 1;
      }
      boolean wasAfterClass = afterClass;
      afterClass = false;
      switch (c) {
        case '\\' -> escape();
        case '[' -> bracket();
        case '-' -> hyphen(wasAfterClass);
        case '^' -> literal();
        default -> {
          // Blanks, # and & mean something to Java in here.
          if (c <= ' ' || c == '#' || c == '&') {
            literal();
          } else {
            out.append(c);
            at++;
          }
        }
      }
    }
    throw PcrePattern.invalid("missing terminating ] for character class");
  }

  private void literal() {
    PcreEscapes.literal(pattern.charAt(at), out);
    at++;
  }

  /** A hyphen beside a class such as \w makes no range. */
  private void hyphen(boolean wasAfterClass) {
    boolean beforeClass =
        pattern.startsWith("[:", at + 1)
            || (pattern.startsWith("\\", at + 1)
                && at + 2 < pattern.length()
                && CLASS_ESCAPES.indexOf(pattern.charAt(at + 2)) >= 0);
    if (wasAfterClass || beforeClass) {
      literal();
    } else {
      out.append('-');
      at++;
    }
  }

  private void escape() {
    if (at + 1 == pattern.length()) {
      throw PcrePattern.invalid("\\ at end of pattern");
    }
    char c = pattern.charAt(at + 1);
    switch (c) {
      case 'Q' -> at = PcreEscapes.quoted(pattern, at, out);
      case 'E' -> at += 2;
      case 'b' -> {
        out.append("\\x{8}");
        at += 2;
      }
      case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> at = PcreEscapes.octal(pattern, at, out);
      case 'B', 'R', 'X', 'N' ->
          throw PcrePattern.invalid("escape sequence is invalid in character class");
      default -> {
        afterClass = CLASS_ESCAPES.indexOf(c) >= 0;
        at = PcreEscapes.character(pattern, at, out, true);
      }
    }
  }

  private void bracket() {
    int end = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at + 2) : -1;
    if (end < 0) {
      literal();
      return;
    }
    String name = pattern.substring(at + 2, end);
    boolean negated = name.startsWith("^");
    String plain = negated ? name.substring(1) : name;
    if (plain.equals("word")) {
      out.append(negated ? "\\W" : "\\w");
    } else {
      out.append(negated ? "\\P{" : "\\p{").append(posixClass(plain)).append('}');
    }
    afterClass = true;
    at = end + 2;
  }

  private static String posixClass(String name) {
    return switch (name) {
      case "alnum" -> "Alnum";
      case "alpha" -> "Alpha";
      case "ascii" -> "ASCII";
      case "blank" -> "Blank";
      case "cntrl" -> "Cntrl";
      case "digit" -> "Digit";
      case "graph" -> "Graph";
      case "lower" -> "Lower";
      case "print" -> "Print";
      case "punct" -> "Punct";
      case "space" -> "Space";
      case "upper" -> "Upper";
      case "xdigit" -> "XDigit";
      default -> throw PcrePattern.invalid("unknown POSIX class name");
    };
  }
}
