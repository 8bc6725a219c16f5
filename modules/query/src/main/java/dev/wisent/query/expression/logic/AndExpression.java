package dev.wisent.query.expression.logic;

import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;
import java.util.ArrayList;
import java.util.List;

/** {@code $and} and {@code $or}: the arguments are looked at only until the result is clear. */
public final class AndExpression extends OperatorExpression {
  /** What ends the evaluation: false for {@code $and}, true for {@code $or}. */
  private final boolean decisive;

  private AndExpression(boolean decisive, Expression[] arguments) {
    super(decisive ? "$or" : "$and", arguments);
    this.decisive = decisive;
  }

  static AndExpression and(Expression... arguments) {
    return new AndExpression(false, arguments);
  }

  static AndExpression or(Expression... arguments) {
    return new AndExpression(true, arguments);
  }

  public boolean isConjunction() {
    return !decisive;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return RawValue.ofBoolean(test(frame));
  }

  @Override
  public boolean test(Frame frame) {
    for (int i = 0; i < argumentCount(); i++) {
      if (argument(i).test(frame) == decisive) {
        return decisive;
      }
    }
    return !decisive;
  }

  @Override
  public Expression optimize() {
    Expression optimized = super.optimize();
    if (optimized != this) {
      return optimized;
    }
    List<Expression> undecided = new ArrayList<>();
    if (collect(this, undecided)) {
      return new ConstantExpression(RawValue.ofBoolean(decisive));
    }
    return new AndExpression(decisive, undecided.toArray(Expression[]::new));
  }

  /** Flattens what is nested and drops constants; true where one of them decides. */
  private static boolean collect(AndExpression from, List<Expression> undecided) {
    for (int i = 0; i < from.argumentCount(); i++) {
      Expression argument = from.argument(i);
      if (argument.isConstant()) {
        if (argument.test(null) == from.decisive) {
          return true;
        }
      } else if (argument instanceof AndExpression inner && inner.decisive == from.decisive) {
        if (collect(inner, undecided)) {
          return true;
        }
      } else {
        undecided.add(argument);
      }
    }
    return false;
  }
}
