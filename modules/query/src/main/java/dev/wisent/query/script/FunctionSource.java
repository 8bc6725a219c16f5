package dev.wisent.query.script;

import java.util.List;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;

/**
 * A function of a user as a program of ours: evaluated, it gives an object with {@code test} and
 * {@code call}. The document is {@code this} in the function, and {@code obj} around it.
 */
record FunctionSource(Source program) {
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
    String begin = COMMENTS.matcher(code).replaceFirst("");
    if (FUNCTION.matcher(begin).find() || ARROW.matcher(begin).find()) {
      return List.of(of(END.matcher(code).replaceFirst("")));
    }
    return List.of(
        of("function () { return (" + END.matcher(code).replaceFirst("") + "\n); }"),
        of("function () { " + code + "\n}"));
  }

  private static FunctionSource of(String function) {
    String program =
        "(function () { var obj; const $function = (%s\n); return {test: function ($document) { obj"
            + " = $document; return !!$function.call($document); }, call: function (...$arguments)"
            + " { return $function.apply(undefined, $arguments); }}; })()";
    return new FunctionSource(
        Source.newBuilder("js", program.replace("%s", function), "function").buildLiteral());
  }
}
