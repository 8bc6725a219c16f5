package dev.wisent.query.match;

/** Escape sequences that mean the same inside and outside character classes. */
final class PcreEscapes {
  private PcreEscapes() {}

  /**
   * Rewrites the escape sequence at {@code at}.
   *
   * @return where the pattern goes on
   */
  static int character(String pattern, int at, StringBuilder out, boolean inClass) {
    char c = pattern.charAt(at + 1);
    return switch (c) {
      case 'a', 'e', 'f', 'n', 'r', 't', 'd', 'D', 'h', 'H', 's', 'S', 'v', 'V', 'w', 'W' -> {
        out.append('\\').append(c);
        yield at + 2;
      }
      case '0' -> octal(pattern, at, out);
      case 'o' -> braced(pattern, at, 8, out);
      case 'x' ->
          pattern.startsWith("{", at + 2)
              ? braced(pattern, at, 16, out)
              : digits(pattern, at + 2, 2, 16, out);
      case 'c' -> control(pattern, at, out);
      case 'p', 'P' -> property(pattern, at, out, inClass);
      default -> {
        if (c < 0x80 && Character.isLetterOrDigit(c)) {
          throw PcrePattern.invalid("unrecognized character follows \\");
        }
        literal(c, out);
        yield at + 2;
      }
    };
  }

  private static int control(String pattern, int at, StringBuilder out) {
    if (at + 2 == pattern.length() || pattern.charAt(at + 2) < ' ') {
      throw PcrePattern.invalid("\\c at end of pattern");
    }
    codePoint(Character.toUpperCase(pattern.charAt(at + 2)) ^ 0x40, out);
    return at + 3;
  }

  /** Text between \Q and \E stands for itself. */
  static int quoted(String pattern, int at, StringBuilder out) {
    int end = pattern.indexOf("\\E", at + 2);
    int stop = end < 0 ? pattern.length() : end;
    for (int i = at + 2; i < stop; i++) {
      literal(pattern.charAt(i), out);
    }
    return end < 0 ? stop : end + 2;
  }

  static void literal(char c, StringBuilder out) {
    if (c < 0x80 && !Character.isLetterOrDigit(c)) {
      out.append('\\');
    }
    out.append(c);
  }

  /** A backslash and up to three octal digits. */
  static int octal(String pattern, int at, StringBuilder out) {
    return digits(pattern, at + 1, 3, 8, out);
  }

  private static int digits(String pattern, int start, int countMax, int radix, StringBuilder out) {
    int value = 0;
    int end = start;
    while (end < pattern.length() && end < start + countMax) {
      int digit = Character.digit(pattern.charAt(end), radix);
      if (digit < 0) {
        break;
      }
      value = value * radix + digit;
      end++;
    }
    if (radix == 8 && end == start) {
      // \8 and \9 are the digits themselves.
      out.append(pattern.charAt(start));
      return start + 1;
    }
    codePoint(value, out);
    return end;
  }

  private static int braced(String pattern, int at, int radix, StringBuilder out) {
    int end = pattern.indexOf('}', at);
    if (end < 0 || !pattern.startsWith("{", at + 2)) {
      throw PcrePattern.invalid("missing terminating } or opening { of a code point");
    }
    try {
      int value = Integer.parseInt(pattern.substring(at + 3, end).strip(), radix);
      if (value < 0 || value > Character.MAX_CODE_POINT) {
        throw PcrePattern.invalid("character code point value in \\x{} or \\o{} is too large");
      }
      codePoint(value, out);
    } catch (NumberFormatException e) {
      throw PcrePattern.invalid("non-hex character in \\x{} or non-octal character in \\o{}");
    }
    return end + 1;
  }

  private static void codePoint(int value, StringBuilder out) {
    out.append("\\x{").append(Integer.toHexString(value)).append('}');
  }

  private static int property(String pattern, int at, StringBuilder out, boolean inClass) {
    boolean negated = pattern.charAt(at + 1) == 'P';
    int start = at + 2;
    int end;
    String name;
    if (pattern.startsWith("{", start)) {
      end = pattern.indexOf('}', start);
      if (end < 0) {
        throw PcrePattern.invalid("malformed \\P or \\p sequence");
      }
      name = pattern.substring(start + 1, end).strip();
      end++;
    } else {
      if (start == pattern.length()) {
        throw PcrePattern.invalid("malformed \\P or \\p sequence");
      }
      name = pattern.substring(start, start + 1);
      end = start + 1;
    }
    if (name.startsWith("^")) {
      negated = !negated;
      name = name.substring(1);
    }
    appendProperty(name, negated, out, inClass);
    return end;
  }

  private static void appendProperty(
      String name, boolean negated, StringBuilder out, boolean inClass) {
    String set =
        switch (name) {
          case "Any" -> "\\x{0}-\\x{10FFFF}";
          case "Xan" -> "\\p{L}\\p{N}";
          case "Xwd" -> "\\p{L}\\p{N}_";
          case "Xsp", "Xps" -> "\\s";
          default -> null;
        };
    if (set != null) {
      boolean open = inClass && !negated;
      out.append(open ? "" : negated ? "[^" : "[").append(set).append(open ? "" : "]");
      return;
    }
    // One or two letters are a general category, anything longer a script or a property.
    String javaName = name.equals("L&") ? "LC" : name.length() <= 2 ? name : "Is" + name;
    out.append(negated ? "\\P{" : "\\p{").append(javaName).append('}');
  }
}
