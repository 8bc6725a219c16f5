package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Compiles patterns written for PCRE2, as MongoDB takes them, with java.util.regex.
 *
 * <p>Where the two differ, {@link PcreTranslator} and {@link PcreClassTranslator} rewrite the
 * pattern:
 *
 * <ul>
 *   <li>only a line feed is a line end, for {@code .}, {@code ^} and {@code $};
 *   <li>ignoring case follows Unicode; {@code \d}, {@code \w}, {@code \s} and {@code \b} are ASCII
 *       unless the pattern begins with {@code (*UCP)};
 *   <li>{@code [[:alpha:]]} and the other POSIX classes; a bracket or {@code &&} inside a class
 *       stands for itself, and so does a bracket right after the opening one; blanks inside a class
 *       count with the x flag too;
 *   <li>a brace that opens no quantifier stands for itself;
 *   <li>{@code (?P<name>…)}, {@code (?'name'…)}, {@code (?P=name)}, {@code \g{1}}, {@code \g{-1}},
 *       {@code \k{name}}, names with underscores, {@code (?#comments)};
 *   <li>octal, {@code \o{…}}, short {@code \x}, {@code \N}, scripts as {@code \p{Greek}}.
 * </ul>
 *
 * <p>Not available, and refused: recursion and subroutine calls, conditional groups, branch reset,
 * callouts, {@code \K}, {@code \C}, and verbs such as {@code (*SKIP)}. Lookbehind must be bounded,
 * which is looser than PCRE's rule.
 */
final class PcrePattern {
  private PcrePattern() {}

  static Pattern compile(String pattern, String options) {
    int flags = Pattern.UNIX_LINES | Pattern.UNICODE_CASE | flags(options);
    var translator = new PcreTranslator(pattern, (flags & Pattern.COMMENTS) != 0);
    String translated = translator.translate();
    if (translator.usesUnicodeProperties()) {
      flags |= Pattern.UNICODE_CHARACTER_CLASS;
    }
    try {
      return Pattern.compile(translated, flags);
    } catch (PatternSyntaxException e) {
      throw invalid(pcreWords(e.getDescription()));
    } catch (StackOverflowError e) {
      throw invalid("regular expression is too complicated");
    }
  }

  private static int flags(String options) {
    int flags = 0;
    for (int i = 0; i < options.length(); i++) {
      flags |=
          switch (options.charAt(i)) {
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'x' -> Pattern.COMMENTS;
            case 'u' -> 0; // UTF-8, which is always on
            default ->
                // The blank at the beginning is MongoDB's: an operator's name stands there in
                // aggregation expressions.
                throw new CommandException(
                    ErrorCode.REGEX_FLAG_INVALID,
                    " invalid flag in regex options: " + options.charAt(i));
          };
    }
    return flags;
  }

  private static String pcreWords(String description) {
    if (description.startsWith("Dangling meta character")) {
      return "quantifier does not follow a repeatable item";
    }
    if (description.startsWith("Unclosed group")) {
      return "missing closing parenthesis";
    }
    if (description.startsWith("Unmatched closing")) {
      return "unmatched closing parenthesis";
    }
    if (description.startsWith("Illegal character range")) {
      return "range out of order in character class";
    }
    if (description.startsWith("Illegal repetition range")) {
      return "numbers out of order in {} quantifier";
    }
    if (description.startsWith("Look-behind group does not have an obvious maximum length")) {
      return "lookbehind assertion is not fixed length";
    }
    return description;
  }

  static CommandException invalid(String reason) {
    return new CommandException(
        ErrorCode.REGEX_INVALID, "Regular expression is invalid: " + reason);
  }

  static CommandException notSupportedYet(String construct) {
    return new CommandException(
        ErrorCode.NOT_IMPLEMENTED,
        "Regular expressions with " + construct + " are not supported yet");
  }
}
