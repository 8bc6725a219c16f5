package dev.wisent.query.expression.logic;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;

/**
 * {@code $eq}, {@code $ne}, {@code $lt}, {@code $lte}, {@code $gt}, {@code $gte} and {@code $cmp}.
 * Unlike those of filters they compare values of any types, and arrays as a whole.
 */
public final class ComparisonExpression extends OperatorExpression {
  /** Which of them. */
  public enum Comparison {
    EQ("$eq"),
    NE("$ne"),
    LT("$lt"),
    LTE("$lte"),
    GT("$gt"),
    GTE("$gte");

    private final String operator;

    Comparison(String operator) {
      this.operator = operator;
    }

    public String operator() {
      return operator;
    }

    /** What it is with its sides exchanged. */
    public Comparison reversed() {
      return switch (this) {
        case EQ -> EQ;
        case NE -> NE;
        case LT -> GT;
        case LTE -> GTE;
        case GT -> LT;
        case GTE -> LTE;
      };
    }
  }

  private final Comparison comparison;

  /** Null for the simple one. */
  private final Collation collation;

  ComparisonExpression(Comparison comparison, Collation collation, Expression[] arguments) {
    super(comparison.operator, arguments);
    this.comparison = comparison;
    this.collation = collation;
  }

  public Comparison comparison() {
    return comparison;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return RawValue.ofBoolean(test(frame));
  }

  @Override
  public boolean test(Frame frame) {
    RawValue a = value(0, frame);
    RawValue b = value(1, frame);
    return switch (comparison) {
      case EQ -> Values.equal(collation, a, b);
      case NE -> !Values.equal(collation, a, b);
      case LT -> Values.compare(collation, a, b) < 0;
      case LTE -> Values.compare(collation, a, b) <= 0;
      case GT -> Values.compare(collation, a, b) > 0;
      case GTE -> Values.compare(collation, a, b) >= 0;
    };
  }
}
