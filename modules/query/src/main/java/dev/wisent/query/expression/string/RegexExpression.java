package dev.wisent.query.expression.string;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;
import dev.wisent.query.match.RegexSearch;
import java.util.regex.Matcher;

/** {@code $regexFind}, {@code $regexFindAll} and {@code $regexMatch}. */
final class RegexExpression extends OperatorExpression {
  private static final String[] KEYS = {"input", "regex", "options"};

  /** What is wanted of the matches. */
  enum Result {
    FIRST("$regexFind"),
    ALL("$regexFindAll"),
    WHETHER("$regexMatch");

    private final String operator;

    Result(String operator) {
      this.operator = operator;
    }
  }

  private final Result result;

  /** Compiled in advance where pattern and options are constant; null if not, or for null. */
  private RegexSearch constant;

  private RegexExpression(Result result, Expression[] arguments) {
    super(result.operator, KEYS, arguments);
    this.result = result;
  }

  static ExpressionRow row(Result result) {
    return new ExpressionRow(
        result.operator,
        ExpressionRow.Family.STRING,
        "4.2",
        (parser, argument) -> parse(result, parser, argument));
  }

  private static Expression parse(Result result, ExpressionParser parser, RawValue argument) {
    String name = result.operator;
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                ErrorCode.REGEX_NOT_OBJECT,
                name + " expects an object of named arguments but found: %s",
                ErrorCode.REGEX_UNKNOWN,
                name + " found an unknown argument: %s"),
            KEYS);
    arguments.require("input", ErrorCode.REGEX_WITHOUT_INPUT, name + " requires 'input' parameter");
    arguments.require("regex", ErrorCode.REGEX_WITHOUT_REGEX, name + " requires 'regex' parameter");
    return new RegexExpression(result, arguments.parse(parser));
  }

  @Override
  public Expression optimize() {
    Expression optimized = super.optimize();
    boolean fixed =
        optimized == this
            && argument(1).isConstant()
            && (argument(2) == null || argument(2).isConstant());
    if (fixed) {
      constant = search(null);
    }
    return optimized;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue input = value(0, frame);
    if (!Values.isNullish(input) && !input.isString()) {
      throw new CommandException(
          ErrorCode.REGEX_INPUT_TYPE, name() + " needs 'input' to be of type string");
    }
    RegexSearch search = constant == null ? search(frame) : constant;
    boolean nothing = Values.isNullish(input) || search == null;
    return switch (result) {
      case FIRST -> nothing ? RawValue.NULL : first(input.asString(), search, frame);
      case ALL -> nothing ? new ArrayBuilder().build() : all(input.asString(), search, frame);
      case WHETHER ->
          RawValue.ofBoolean(!nothing && find(search.matcher(input.asString(), frame.meter()), 0));
    };
  }

  /** Null where the pattern is. */
  private RegexSearch search(Frame frame) {
    RawValue regex = value(1, frame);
    RawValue options = argument(2) == null ? null : value(2, frame);
    boolean literal = regex != null && regex.type() == ElementType.REGEX;
    if (!Values.isNullish(regex) && !literal && !regex.isString()) {
      throw new CommandException(
          ErrorCode.REGEX_REGEX_TYPE, name() + " needs 'regex' to be of type string or regex");
    }
    if (!Values.isNullish(options) && !options.isString()) {
      throw new CommandException(
          ErrorCode.REGEX_OPTIONS_TYPE, name() + " needs 'options' to be of type string");
    }
    String flags = literal ? regex.regexOptions() : "";
    if (!Values.isNullish(options)) {
      if (!flags.isEmpty()) {
        throw new CommandException(
            ErrorCode.REGEX_OPTIONS_TWICE,
            name() + ": found regex option(s) specified in both 'regex' and 'option' fields");
      }
      flags = options.asString();
    }
    if (flags.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.REGEX_OPTIONS_NULL_BYTE,
          name() + ": regular expression options cannot contain an embedded null byte");
    }
    if (Values.isNullish(regex)) {
      return null;
    }
    String pattern = literal ? regex.regexPattern() : regex.asString();
    if (pattern.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.REGEX_NULL_BYTE,
          name() + ": regular expression cannot contain an embedded null byte");
    }
    return compile(pattern, flags);
  }

  private RegexSearch compile(String pattern, String options) {
    try {
      return RegexSearch.compile(pattern, options);
    } catch (CommandException e) {
      if (e.code() == ErrorCode.REGEX_FLAG_INVALID) {
        throw new CommandException(e.code(), name() + e.getMessage());
      }
      if (e.code() != ErrorCode.REGEX_INVALID) {
        throw e;
      }
      throw new CommandException(
          ErrorCode.REGEX_EXPRESSION_INVALID,
          "Invalid Regex in " + name() + ": " + e.getMessage().replaceFirst("^[^:]*: ", ""));
    }
  }

  private static RawValue first(String text, RegexSearch search, Frame frame) {
    Matcher matcher = search.matcher(text, frame.meter());
    return find(matcher, 0) ? match(text, matcher) : RawValue.NULL;
  }

  private static RawValue all(String text, RegexSearch search, Frame frame) {
    var out = new ArrayBuilder();
    Matcher matcher = search.matcher(text, frame.meter());
    int from = 0;
    // There is no match behind the last character, but an empty text may have one.
    do {
      if (!find(matcher, from)) {
        break;
      }
      out.add(match(text, matcher));
      from = matcher.end();
      if (matcher.end() == matcher.start() && from < text.length()) {
        from += Character.charCount(text.codePointAt(from));
      }
    } while (from < text.length());
    return out.build();
  }

  private static boolean find(Matcher matcher, int from) {
    try {
      return matcher.find(from);
    } catch (StackOverflowError e) {
      throw new CommandException(
          ErrorCode.REGEX_MATCH_ABORTED,
          "Error occurred while executing the regular expression: match limit exceeded");
    }
  }

  private static RawValue match(String text, Matcher matcher) {
    var out = new BsonBuilder().appendString("match", matcher.group());
    out.appendInt32("idx", text.codePointCount(0, matcher.start())).startArray("captures");
    for (int i = 1; i <= matcher.groupCount(); i++) {
      String group = matcher.group(i);
      out.append(i - 1, group == null ? RawValue.NULL : RawValue.ofString(group));
    }
    return RawValue.ofDocument(out.end().toDocument());
  }
}
