package dev.wisent.query.expression.logic;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.logic.ComparisonExpression.Comparison;
import java.util.List;

/** The table of comparisons, boolean and conditional expressions, literals and {@code $let}. */
public final class LogicExpressions {
  public static final List<ExpressionRow> ROWS =
      List.of(
          new ExpressionRow(
              "$and",
              Family.BOOLEAN,
              "2.2",
              (parser, argument) -> AndExpression.and(parser.arguments(argument))),
          new ExpressionRow(
              "$or",
              Family.BOOLEAN,
              "2.2",
              (parser, argument) -> AndExpression.or(parser.arguments(argument))),
          ExpressionRow.unary(
              "$not", Family.BOOLEAN, "2.2", value -> RawValue.ofBoolean(!Values.isTrue(value))),
          comparison(Comparison.EQ),
          comparison(Comparison.NE),
          comparison(Comparison.LT),
          comparison(Comparison.LTE),
          comparison(Comparison.GT),
          comparison(Comparison.GTE),
          ExpressionRow.collatedBinary(
              "$cmp",
              Family.COMPARISON,
              "2.2",
              (collation, a, b) ->
                  RawValue.ofInt32(Integer.signum(Values.compare(collation, a, b)))),
          new ExpressionRow("$cond", Family.CONDITIONAL, "2.2", CondExpression::parse),
          new ExpressionRow("$ifNull", Family.CONDITIONAL, "2.2", IfNullExpression::parse),
          new ExpressionRow("$switch", Family.CONDITIONAL, "3.4", SwitchExpression::parse),
          new ExpressionRow("$let", Family.VARIABLE, "2.6", LetExpression::parse),
          literal("$literal", "2.6"),
          literal("$const", "2.2"),
          new ExpressionRow(
              "$expr", Family.MISCELLANEOUS, "7.2", (parser, argument) -> parser.parse(argument)));

  private LogicExpressions() {}

  private static ExpressionRow comparison(Comparison comparison) {
    String name = comparison.operator();
    return new ExpressionRow(
        name,
        Family.COMPARISON,
        "2.2",
        (parser, argument) ->
            new ComparisonExpression(
                comparison, parser.context().collation(), parser.arguments(name, argument, 2)));
  }

  private static ExpressionRow literal(String name, String since) {
    return new ExpressionRow(
        name, Family.LITERAL, since, (parser, argument) -> new ConstantExpression(argument));
  }
}
