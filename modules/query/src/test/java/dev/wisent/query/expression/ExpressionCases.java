package dev.wisent.query.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.script.ScriptCompiler;

/**
 * Tables of expressions and what comes out, one case a line: {@code expression => value}, {@code
 * expression => missing}, or {@code expression !! code message}, where {@code \0} in a message is
 * the null character. Each is evaluated optimized and as it stands, and once more after it was
 * written out and read again.
 */
public final class ExpressionCases {
  /** What {@code $$NOW} is. */
  public static final long NOW = 1_700_000_000_000L;

  public static final QueryContext CONTEXT =
      new QueryContext(
          () -> NOW, () -> 0.25, RawDocument.EMPTY, () -> 7L << 32 | 1, null, ScriptCompiler.NONE);

  private ExpressionCases() {}

  /** Checks a table against one document. */
  public static void check(String document, String table) {
    RawDocument root = RawDocument.parse(document);
    for (String line : table.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      if (line.contains(" !! ")) {
        String[] parts = line.split(" !! ", 2);
        int space = parts[1].indexOf(' ');
        checkError(
            root,
            parts[0],
            Integer.parseInt(parts[1].substring(0, space)),
            parts[1].substring(space + 1).replace("\\0", "\0"));
      } else {
        String[] parts = line.split(" => ", 2);
        checkValue(root, parts[0], parts[1]);
      }
    }
  }

  private static void checkValue(RawDocument root, String expression, String expected) {
    RawValue want = expected.equals("missing") ? null : value(expected);
    Expression plain = ExpressionParser.of(CONTEXT).parse(value(expression));
    assertSame(expression, want, plain.evaluate(new Frame(WorkMeter.unchecked(), root)));
    Expression optimized = ExpressionParser.parse(value(expression), CONTEXT);
    assertSame(
        expression + " optimized",
        want,
        optimized.evaluate(new Frame(WorkMeter.unchecked(), root)));
    assertThat(optimized.test(new Frame(WorkMeter.unchecked(), root)))
        .as(expression)
        .isEqualTo(Values.isTrue(want));
    Expression again = ExpressionParser.parse(optimized.serialize(), CONTEXT);
    assertSame(
        expression + " serialized", want, again.evaluate(new Frame(WorkMeter.unchecked(), root)));
  }

  private static void assertSame(String expression, RawValue want, RawValue got) {
    assertThat(got == null ? "missing" : got.toString())
        .as(expression)
        .isEqualTo(want == null ? "missing" : want.toString());
  }

  private static void checkError(RawDocument root, String expression, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () ->
                ExpressionParser.of(CONTEXT)
                    .parse(value(expression))
                    .evaluate(new Frame(WorkMeter.unchecked(), root)));
    assertThat(error).as(expression).isNotNull();
    assertThat(error.getMessage()).as(expression).isEqualTo(message);
    assertThat(error.code().code()).as(expression).isEqualTo(code);
  }

  /** The value for a document, parsed from relaxed JSON. */
  public static RawValue evaluate(String document, String expression) {
    return ExpressionParser.parse(value(expression), CONTEXT)
        .evaluate(new Frame(WorkMeter.unchecked(), RawDocument.parse(document)));
  }

  static RawValue value(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v");
  }
}
