package dev.wisent.query.expression.arithmetic;

import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import java.util.List;
import java.util.stream.Stream;

/** The table of expressions about numbers. */
public final class ArithmeticExpressions {
  public static final List<ExpressionRow> ROWS =
      Stream.of(own(), Trigonometry.ROWS, BitFunctions.ROWS, Accumulators.ROWS)
          .flatMap(List::stream)
          .toList();

  private ArithmeticExpressions() {}

  private static List<ExpressionRow> own() {
    return List.of(
        NumberFunctions.row("$abs", Family.ARITHMETIC, "3.2", NumberFunctions::abs),
        ExpressionRow.variadic("$add", Family.ARITHMETIC, "2.2", Arithmetic::add),
        NumberFunctions.row("$ceil", Family.ARITHMETIC, "3.2", NumberFunctions::ceil),
        ExpressionRow.binary("$divide", Family.ARITHMETIC, "2.2", Arithmetic::divide),
        NumberFunctions.row("$exp", Family.ARITHMETIC, "3.2", NumberFunctions::exp),
        NumberFunctions.row("$floor", Family.ARITHMETIC, "3.2", NumberFunctions::floor),
        NumberFunctions.row("$ln", Family.ARITHMETIC, "3.2", NumberFunctions::ln),
        ExpressionRow.binary("$log", Family.ARITHMETIC, "3.2", NumberFunctions::log),
        NumberFunctions.row("$log10", Family.ARITHMETIC, "3.2", NumberFunctions::log10),
        ExpressionRow.binary("$mod", Family.ARITHMETIC, "2.2", Arithmetic::mod),
        ExpressionRow.variadic("$multiply", Family.ARITHMETIC, "2.2", Arithmetic::multiply),
        ExpressionRow.binary("$pow", Family.ARITHMETIC, "3.2", NumberFunctions::pow),
        ExpressionRow.ranged("$round", Family.ARITHMETIC, "4.2", 1, 2, NumberFunctions::round),
        NumberFunctions.row("$sqrt", Family.ARITHMETIC, "3.2", NumberFunctions::sqrt),
        ExpressionRow.binary("$subtract", Family.ARITHMETIC, "2.2", Arithmetic::subtract),
        ExpressionRow.ranged("$trunc", Family.ARITHMETIC, "3.2", 1, 2, NumberFunctions::trunc),
        new ExpressionRow(
            "$percentile", Family.ACCUMULATOR, "7.0", PercentileExpression::parsePercentile),
        new ExpressionRow("$median", Family.ACCUMULATOR, "7.0", PercentileExpression::parseMedian));
  }
}
