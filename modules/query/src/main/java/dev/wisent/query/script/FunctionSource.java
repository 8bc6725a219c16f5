package dev.wisent.query.script;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;

/**
 * A function of a user as a program of ours: evaluated, it gives an object with {@code test} and
 * {@code call}. The document is {@code this} in the function, and {@code obj} around it. The
 * function begins on the second line, so that its columns are those of the user.
 */
public record FunctionSource(Source program) {
  private static final String NAME = "function";
  private static final Set<String> OURS = Set.of("$test", "$call", ":program");
  private static final Pattern COMMENTS =
      Pattern.compile("\\A(?:\\s|//[^\\n]*\\n|/\\*.*?\\*/)+", Pattern.DOTALL);
  private static final Pattern FUNCTION = Pattern.compile("\\A(?:async\\s+)?function\\b");
  private static final Pattern ARROW =
      Pattern.compile("\\A(?:\\([^()]*\\)|[A-Za-z_$][\\w$]*)\\s*=>", Pattern.DOTALL);
  private static final Pattern END = Pattern.compile("[;\\s]+\\z");

  /**
   * The ways to read some code, the likeliest first: a function stands for itself, an expression is
   * returned, and anything else is the body of a function.
   */
  static List<FunctionSource> candidates(String code) {
    if (isFunction(code)) {
      return List.of(of("", withoutEnd(code), ""));
    }
    return List.of(
        of("function () { return (", withoutEnd(code), "); }"), of("function () {", code, "}"));
  }

  /** The text of a function whose body is what some code says, or which the code is. */
  public static String functionOf(String code) {
    return isFunction(code) ? withoutEnd(code) : "function () { " + code + "\n}";
  }

  private static boolean isFunction(String code) {
    String begin = COMMENTS.matcher(code).replaceFirst("");
    return FUNCTION.matcher(begin).find() || ARROW.matcher(begin).find();
  }

  private static String withoutEnd(String code) {
    return END.matcher(code).replaceFirst("");
  }

  /** A program that gives the function itself. */
  static Source stored(String code) {
    return source("(\n" + functionOf(code) + "\n)");
  }

  private static FunctionSource of(String before, String code, String after) {
    String begin = "(function () { var obj; const $function = (" + before + "\n";
    String end =
        "\n"
            + after
            + "); return {test: function $test($document) { obj = $document; return"
            + " !!$function.call($document); }, call: function $call(...$arguments) { return"
            + " $function.apply(undefined, $arguments); }}; })()";
    return new FunctionSource(source(begin + code + end));
  }

  private static Source source(String program) {
    return Source.newBuilder("js", program, NAME).buildLiteral();
  }

  /** Whether a place is in code of a user, given the name of the function around it. */
  static boolean isOfUser(String function, SourceSection place) {
    return place.getSource().getName().equals(NAME)
        && place.getStartLine() > 1
        && !OURS.contains(function);
  }

  /** The line in the code of a user. */
  static int lineOf(SourceSection place) {
    return place.getStartLine() - 1;
  }

  /** The name of a function of a user; empty where it has only that of our variable. */
  static String nameOf(String function) {
    return function.startsWith(":") || function.equals("$function") ? "" : function;
  }
}
