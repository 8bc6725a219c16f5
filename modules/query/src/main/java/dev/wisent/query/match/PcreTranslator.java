package dev.wisent.query.match;

import java.util.ArrayDeque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rewrites one PCRE pattern for java.util.regex; {@link PcrePattern} says what and why. */
final class PcreTranslator {
  private static final int NESTING_MAX = 250;
  private static final int REPETITIONS_MAX = 65_535;
  private static final Pattern QUANTIFIER = Pattern.compile("\\{(\\d+)(?:,(\\d*))?\\}");
  private static final Pattern VERB = Pattern.compile("\\(\\*([A-Z0-9_]+)\\)");
  private static final Pattern FLAGS = Pattern.compile("\\(\\?([imsx]*)(-[imsx]+)?([:)])");

  private final String pattern;
  private final StringBuilder out = new StringBuilder();
  private final ArrayDeque<Boolean> extendedOutside = new ArrayDeque<>();
  private final int groupCount;
  private boolean extended;
  private boolean unicodeProperties;
  private int groupsOpened;
  private int at;

  PcreTranslator(String pattern, boolean extended) {
    this.pattern = pattern;
    this.extended = extended;
    this.groupCount = countGroups(pattern);
  }

  String translate() {
    startOptions();
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      switch (c) {
        case '\\' -> escape();
        case '[' -> at = new PcreClassTranslator(pattern, out).translate(at);
        case '(' -> group();
        case ')' -> {
          if (!extendedOutside.isEmpty()) {
            extended = extendedOutside.pop();
          }
          copy(1);
        }
        case '{' -> brace();
        case '#' -> {
          if (extended) {
            skipComment();
          } else {
            copy(1);
          }
        }
        default -> copy(1);
      }
    }
    return out.toString();
  }

  boolean usesUnicodeProperties() {
    return unicodeProperties;
  }

  private void copy(int count) {
    out.append(pattern, at, at + count);
    at += count;
  }

  private void skipComment() {
    int end = pattern.indexOf('\n', at);
    at = end < 0 ? pattern.length() : end + 1;
  }

  /** Verbs at the very beginning set options: (*UTF), (*UCP), (*LF). */
  private void startOptions() {
    Matcher verb = VERB.matcher(pattern);
    while (verb.region(at, pattern.length()).lookingAt()) {
      switch (verb.group(1)) {
        case "UTF", "UTF8", "LF" -> {}
        case "UCP" -> unicodeProperties = true;
        default -> throw PcrePattern.notSupportedYet("the verb " + verb.group());
      }
      at = verb.end();
    }
  }

  private void brace() {
    Matcher quantifier = QUANTIFIER.matcher(pattern).region(at, pattern.length());
    if (!quantifier.lookingAt()) {
      out.append("\\{");
      at++;
      return;
    }
    requireRepetitions(quantifier.group(1));
    requireRepetitions(quantifier.group(2));
    copy(quantifier.end() - at);
  }

  private static void requireRepetitions(String digits) {
    if (digits != null
        && (digits.length() > 5
            || (!digits.isEmpty() && Integer.parseInt(digits) > REPETITIONS_MAX))) {
      throw PcrePattern.invalid("number too big in {} quantifier");
    }
  }

  private void group() {
    if (pattern.startsWith("(?#", at)) {
      int end = pattern.indexOf(')', at);
      if (end < 0) {
        throw PcrePattern.invalid("missing ) after (?# comment");
      }
      at = end + 1;
      return;
    }
    if (pattern.startsWith("(*", at)) {
      throw PcrePattern.notSupportedYet("verbs such as (*SKIP)");
    }
    if (pattern.startsWith("(?P=", at)) {
      String name = nameUntil(at + 4, ')');
      out.append("\\k<").append(javaName(name)).append('>');
      return;
    }
    Matcher flags = FLAGS.matcher(pattern).region(at, pattern.length());
    if (flags.lookingAt()) {
      flags(flags);
      return;
    }
    openGroup();
  }

  private void flags(Matcher flags) {
    boolean before = extended;
    if (flags.group(2) != null && flags.group(2).indexOf('x') >= 0) {
      extended = false;
    } else if (flags.group(1).indexOf('x') >= 0) {
      extended = true;
    }
    if (flags.group(3).equals(":")) {
      push(before);
    }
    copy(flags.end() - at);
  }

  private void push(boolean extendedBefore) {
    if (extendedOutside.size() >= NESTING_MAX) {
      throw PcrePattern.invalid("parentheses are too deeply nested");
    }
    extendedOutside.push(extendedBefore);
  }

  private void openGroup() {
    push(extended);
    if (!pattern.startsWith("(?", at)) {
      groupsOpened++;
      copy(1);
      return;
    }
    if (pattern.startsWith("(?P<", at)) {
      namedGroup(at + 4, '>');
    } else if (pattern.startsWith("(?'", at)) {
      namedGroup(at + 3, '\'');
    } else if (pattern.startsWith("(?<=", at) || pattern.startsWith("(?<!", at)) {
      copy(4);
    } else if (pattern.startsWith("(?<", at)) {
      namedGroup(at + 3, '>');
    } else if (pattern.startsWith("(?=", at)
        || pattern.startsWith("(?!", at)
        || pattern.startsWith("(?>", at)) {
      copy(3);
    } else {
      refuseGroup();
    }
  }

  private void refuseGroup() {
    char kind = at + 2 < pattern.length() ? pattern.charAt(at + 2) : ' ';
    throw switch (kind) {
      case '(' -> PcrePattern.notSupportedYet("conditional groups");
      case '|' -> PcrePattern.notSupportedYet("branch reset groups");
      case 'C' -> PcrePattern.notSupportedYet("callouts");
      case 'R', 'P', '&', '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
          PcrePattern.notSupportedYet("recursion");
      case 'J', 'U', 'n', 'a', '^' -> PcrePattern.notSupportedYet("the flag " + kind);
      default -> PcrePattern.invalid("unrecognized character after (? or (?-");
    };
  }

  private void namedGroup(int nameStart, char end) {
    groupsOpened++;
    out.append("(?<").append(javaName(nameUntil(nameStart, end))).append('>');
  }

  private String nameUntil(int start, char end) {
    int close = pattern.indexOf(end, start);
    if (close <= start) {
      throw PcrePattern.invalid("subpattern name expected");
    }
    at = close + 1;
    return pattern.substring(start, close);
  }

  /** Java's group names have no underscores. */
  private static String javaName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 0x80 || (c != '_' && !Character.isLetterOrDigit(c))) {
        throw PcrePattern.invalid("syntax error in subpattern name");
      }
    }
    return name.indexOf('_') < 0 ? name : "w" + name.replace("_", "0u");
  }

  private void escape() {
    if (at + 1 == pattern.length()) {
      throw PcrePattern.invalid("\\ at end of pattern");
    }
    char c = pattern.charAt(at + 1);
    switch (c) {
      case 'Q' -> at = PcreEscapes.quoted(pattern, at, out);
      case 'E' -> at += 2;
      case 'N' -> {
        out.append("[^\\n]");
        at += 2;
      }
      case 'K' -> throw PcrePattern.notSupportedYet("\\K");
      case 'C' -> throw PcrePattern.notSupportedYet("\\C");
      case 'g' -> groupReference();
      case 'k' -> nameReference();
      case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> digits();
      case 'A', 'B', 'G', 'R', 'X', 'Z', 'b', 'z' -> copy(2);
      default -> at = PcreEscapes.character(pattern, at, out, false);
    }
  }

  /** A group if there are so many, else a character in octal. */
  private void digits() {
    int end = at + 1;
    int number = 0;
    while (end < pattern.length() && isDigit(pattern.charAt(end)) && number < groupCount + 10) {
      number = number * 10 + (pattern.charAt(end) - '0');
      end++;
    }
    if (number < 10 || number <= groupCount) {
      reference(number);
      at = end;
    } else {
      at = PcreEscapes.octal(pattern, at, out);
    }
  }

  private void reference(int number) {
    if (number < 1 || number > groupCount) {
      throw PcrePattern.invalid("reference to non-existent subpattern");
    }
    out.append("(?:\\").append(number).append(')');
  }

  private void groupReference() {
    char open = at + 2 < pattern.length() ? pattern.charAt(at + 2) : ' ';
    if (open == '<' || open == '\'') {
      throw PcrePattern.notSupportedYet("recursion");
    }
    String name;
    if (open == '{') {
      name = nameUntil(at + 3, '}');
    } else {
      int end = open == '-' ? at + 3 : at + 2;
      while (end < pattern.length() && isDigit(pattern.charAt(end))) {
        end++;
      }
      name = pattern.substring(at + 2, end);
      at = end;
    }
    if (name.matches("-?\\d{1,5}")) {
      int number = Integer.parseInt(name);
      reference(number < 0 ? groupsOpened + 1 + number : number);
    } else {
      out.append("\\k<").append(javaName(name)).append('>');
    }
  }

  private void nameReference() {
    char open = at + 2 < pattern.length() ? pattern.charAt(at + 2) : ' ';
    char end =
        switch (open) {
          case '<' -> '>';
          case '{' -> '}';
          case '\'' -> '\'';
          default ->
              throw PcrePattern.invalid(
                  "\\k is not followed by a braced, angle-bracketed, or quoted name");
        };
    out.append("\\k<").append(javaName(nameUntil(at + 3, end))).append('>');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int countGroups(String pattern) {
    int count = 0;
    boolean inClass = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        i++;
      } else if (inClass) {
        inClass = c != ']';
      } else if (c == '[') {
        inClass = true;
        i += pattern.startsWith("[^]", i) ? 2 : pattern.startsWith("[]", i) ? 1 : 0;
      } else if (c == '(') {
        boolean named =
            pattern.startsWith("(?P<", i)
                || pattern.startsWith("(?'", i)
                || (pattern.startsWith("(?<", i)
                    && !pattern.startsWith("(?<=", i)
                    && !pattern.startsWith("(?<!", i));
        boolean plain = !pattern.startsWith("(?", i) && !pattern.startsWith("(*", i);
        count += named || plain ? 1 : 0;
      }
    }
    return count;
  }
}
