package dev.wisent.query.expression;

import dev.wisent.query.expression.arithmetic.ArithmeticExpressions;
import dev.wisent.query.expression.array.ArrayExpressions;
import dev.wisent.query.expression.convert.ConvertExpressions;
import dev.wisent.query.expression.date.DateExpressions;
import dev.wisent.query.expression.logic.LogicExpressions;
import dev.wisent.query.expression.object.ObjectExpressions;
import dev.wisent.query.expression.string.StringExpressions;
import dev.wisent.query.expression.value.ValueExpressions;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of expressions, put together from those of the families. Adding one takes a class or a
 * function, a test, and a row in the table of its family.
 */
public final class ExpressionTable {
  private static final List<ExpressionRow> ROWS =
      Stream.of(
              LogicExpressions.ROWS,
              ArithmeticExpressions.ROWS,
              ArrayExpressions.ROWS,
              ObjectExpressions.ROWS,
              StringExpressions.ROWS,
              DateExpressions.ROWS,
              ConvertExpressions.ROWS,
              ValueExpressions.ROWS)
          .flatMap(List::stream)
          .toList();

  private static final Map<String, ExpressionRow> BY_NAME =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(ExpressionRow::name, Function.identity()));

  private ExpressionTable() {}

  public static List<ExpressionRow> rows() {
    return ROWS;
  }

  /** The row of an expression, or null. */
  static ExpressionRow row(String name) {
    return BY_NAME.get(name);
  }

  /** Whether a name, with its dollar sign, is that of an expression. */
  public static boolean isExpression(String name) {
    return BY_NAME.containsKey(name);
  }
}
