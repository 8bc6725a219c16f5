package dev.wisent.query.match;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.logic.AndExpression;
import dev.wisent.query.expression.logic.ComparisonExpression;
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
    collect(match.expression(), conditions);
    if (collated) {
      conditions.removeIf(
          condition ->
              condition instanceof ExprComparisonMatch comparison
                  && Collation.affects(comparison.operand().type()));
    }
    return conditions;
  }

  private static void collect(Expression expression, List<MatchExpression> conditions) {
    if (expression instanceof AndExpression and && and.isConjunction()) {
      for (int i = 0; i < and.argumentCount(); i++) {
        collect(and.argument(i), conditions);
      }
    } else if (expression instanceof ComparisonExpression comparison) {
      ExprComparisonMatch condition = condition(comparison);
      if (condition != null) {
        conditions.add(condition);
      }
    }
  }

  private static ExprComparisonMatch condition(ComparisonExpression comparison) {
    Expression left = comparison.argument(0);
    Expression right = comparison.argument(1);
    if (left instanceof FieldPathExpression field && right instanceof ConstantExpression constant) {
      return condition(comparison.comparison(), field, constant.value());
    }
    if (left instanceof ConstantExpression constant && right instanceof FieldPathExpression field) {
      return condition(comparison.comparison().reversed(), field, constant.value());
    }
    return null;
  }

  private static ExprComparisonMatch condition(
      ComparisonExpression.Comparison comparison, FieldPathExpression field, RawValue value) {
    boolean usable = value != null && !value.isArray() && value.type() != ElementType.UNDEFINED;
    if (!usable) {
      return null;
    }
    return switch (comparison) {
      case EQ -> new ExprComparisonMatch(ComparisonMatch.Comparison.EQ, field.path(), value);
      case LT -> new ExprComparisonMatch(ComparisonMatch.Comparison.LT, field.path(), value);
      case LTE -> new ExprComparisonMatch(ComparisonMatch.Comparison.LTE, field.path(), value);
      case GT -> new ExprComparisonMatch(ComparisonMatch.Comparison.GT, field.path(), value);
      case GTE -> new ExprComparisonMatch(ComparisonMatch.Comparison.GTE, field.path(), value);
      case NE -> null;
    };
  }
}
