package dev.wisent.query.match;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.logic.AndExpression;
import dev.wisent.query.expression.logic.ComparisonExpression;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;

/** Finds in an {@code $expr} the comparisons of a field with a constant that must all hold. */
final class ExprConditions {
  private ExprConditions() {}

  /**
   * The expression and the conditions that follow from it.
   *
   * @param collated whether strings are compared otherwise than by their bytes, which these
   *     conditions cannot say
   */
  static List<MatchExpression> with(ExprMatch match, boolean collated) {
    var conditions = new ArrayList<MatchExpression>();
    conditions.add(match);
    collect(match.expression(), match.meter(), conditions);
    if (collated) {
      conditions.removeIf(
          condition ->
              condition instanceof ExprComparisonMatch comparison
                  && Collation.affects(comparison.operand().type()));
    }
    return conditions;
  }

  private static void collect(
      Expression expression, WorkMeter meter, List<MatchExpression> conditions) {
    if (expression instanceof AndExpression and && and.isConjunction()) {
      for (int i = 0; i < and.argumentCount(); i++) {
        collect(and.argument(i), meter, conditions);
      }
    } else if (expression instanceof ComparisonExpression comparison) {
      ExprComparisonMatch condition = condition(comparison, meter);
      if (condition != null) {
        conditions.add(condition);
      }
    }
  }

  private static ExprComparisonMatch condition(ComparisonExpression comparison, WorkMeter meter) {
    Expression left = comparison.argument(0);
    Expression right = comparison.argument(1);
    if (left instanceof FieldPathExpression field && right instanceof ConstantExpression constant) {
      return condition(comparison.comparison(), field, constant.value(), meter);
    }
    if (left instanceof ConstantExpression constant && right instanceof FieldPathExpression field) {
      return condition(comparison.comparison().reversed(), field, constant.value(), meter);
    }
    return null;
  }

  private static ExprComparisonMatch condition(
      ComparisonExpression.Comparison comparison,
      FieldPathExpression field,
      RawValue value,
      WorkMeter meter) {
    boolean usable = value != null && !value.isArray() && value.type() != ElementType.UNDEFINED;
    if (!usable) {
      return null;
    }
    ComparisonMatch.Comparison same =
        switch (comparison) {
          case EQ -> ComparisonMatch.Comparison.EQ;
          case LT -> ComparisonMatch.Comparison.LT;
          case LTE -> ComparisonMatch.Comparison.LTE;
          case GT -> ComparisonMatch.Comparison.GT;
          case GTE -> ComparisonMatch.Comparison.GTE;
          case NE -> null;
        };
    return same == null ? null : new ExprComparisonMatch(same, field.path(), value, meter);
  }
}
