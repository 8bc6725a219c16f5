package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code $regex} and regular expressions in place of values. Strings and symbols match where the
 * pattern is found in them; a stored regular expression matches where it has the same pattern and
 * flags.
 *
 * <p>The plain text that a pattern begins with is searched in the bytes, and the rest only where it
 * was found.
 */
public final class RegexMatch implements PathMatch {
  private static final String TOO_LONG =
      "Regular expression is invalid: regular expression is too large";
  private static final int PATTERN_LENGTH_MAX = 32_764;

  private final FieldPath path;
  private final String pattern;
  private final String options;
  private final Pattern compiled;
  private final RegexLiteral literal;
  private final WorkMeter meter;

  RegexMatch(FieldPath path, String pattern, String options, WorkMeter meter) {
    if (pattern.indexOf('\0') >= 0) {
      throw MatchErrors.badValue("Regular expression cannot contain an embedded null byte");
    }
    if (pattern.length() > PATTERN_LENGTH_MAX) {
      throw new CommandException(ErrorCode.REGEX_INVALID, TOO_LONG);
    }
    this.path = path;
    this.pattern = pattern;
    this.options = options;
    this.compiled = PcrePattern.compile(pattern, options);
    this.literal = RegexLiteral.of(pattern, options);
    this.meter = meter;
  }

  private RegexMatch(RegexMatch same, FieldPath path) {
    this.path = path;
    this.pattern = same.pattern;
    this.options = same.options;
    this.compiled = same.compiled;
    this.literal = same.literal;
    this.meter = same.meter;
  }

  /** The same for another path. */
  RegexMatch at(FieldPath other) {
    return new RegexMatch(this, other);
  }

  /** A pattern that is matched against something else than a field of a filter. */
  public static RegexMatch ofPattern(String pattern, WorkMeter meter) {
    return new RegexMatch(FieldPath.of(""), pattern, "", meter);
  }

  static RegexMatch ofLiteral(FieldPath path, RawValue regex, WorkMeter meter) {
    return new RegexMatch(path, regex.regexPattern(), regex.regexOptions(), meter);
  }

  /** Reads $regex and $options from the document that they stand in, in whichever order. */
  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    String pattern = "";
    String options = "";
    ElementCursor elements = operand.siblings().elements();
    while (elements.next()) {
      RawValue value = elements.value();
      switch (elements.name()) {
        case "$regex" -> {
          pattern = patternOf(value);
          String flags = value.type() == ElementType.REGEX ? value.regexOptions() : "";
          if (!flags.isEmpty() && !options.isEmpty()) {
            throw optionsTwice(ErrorCode.REGEX_FLAGS_AND_OPTIONS);
          }
          options = flags.isEmpty() ? options : flags;
        }
        case "$options" -> {
          if (!value.isString()) {
            throw MatchErrors.badValue("$options has to be a string");
          }
          if (!options.isEmpty()) {
            throw optionsTwice(ErrorCode.REGEX_OPTIONS_AND_FLAGS);
          }
          options = value.asString();
        }
        default -> {}
      }
    }
    return new RegexMatch(path, pattern, options, parser.meter());
  }

  private static String patternOf(RawValue value) {
    return switch (value.type()) {
      case ElementType.STRING -> value.asString();
      case ElementType.REGEX -> value.regexPattern();
      default -> throw MatchErrors.badValue("$regex has to be a string");
    };
  }

  private static CommandException optionsTwice(ErrorCode code) {
    return new CommandException(code, "options set in both $regex and $options");
  }

  /** $options on its own says nothing; $regex reads it. */
  static MatchExpression parseOptions(Operand operand) {
    if (operand.siblings().get("$regex") == null) {
      throw MatchErrors.badValue("$options needs a $regex");
    }
    return null;
  }

  @Override
  public FieldPath path() {
    return path;
  }

  @Override
  public WorkMeter meter() {
    return meter;
  }

  @Override
  public String operator() {
    return "$regex";
  }

  public String pattern() {
    return pattern;
  }

  public String options() {
    return options;
  }

  /**
   * The text that every matching string begins with, if the pattern says so: a planner can turn it
   * into a range of an index.
   */
  public Optional<String> prefix() {
    return literal.anchored() && !literal.text().isEmpty()
        ? Optional.of(literal.text())
        : Optional.empty();
  }

  /** Whether beginning with {@link #prefix()} is all that the pattern asks for. */
  public boolean isPrefixOnly() {
    return literal.anchored() && literal.complete();
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null) {
      return false;
    }
    return switch (value.type()) {
      case ElementType.STRING, ElementType.SYMBOL -> matchesText(value);
      case ElementType.REGEX ->
          pattern.equals(value.regexPattern()) && options.equals(value.regexOptions());
      default -> false;
    };
  }

  /** Only texts that have what the pattern begins with are worth to be decoded. */
  private boolean matchesText(RawValue value) {
    meter.add(value.length());
    int start = value.offset() + 4;
    int end = start + LittleEndian.int32(value.bytes(), value.offset()) - 1;
    boolean hasLiteral = literal.isIn(value.bytes(), start, end);
    return hasLiteral && (literal.complete() || matchesText(value.asString()));
  }

  /** Whether the pattern is found in the text. */
  public boolean matchesText(String text) {
    meter.add(text.length());
    try {
      return compiled.matcher(new GuardedText(text, meter)).find();
    } catch (StackOverflowError e) {
      throw new CommandException(
          ErrorCode.REGEX_MATCH_ABORTED,
          "Error occurred while executing regular expression: the pattern needs too much stack");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegexMatch that
        && path.equals(that.path)
        && pattern.equals(that.pattern)
        && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(new Object[] {path, pattern, options});
  }

  @Override
  public String toString() {
    return path + " /" + pattern + "/" + options;
  }
}
