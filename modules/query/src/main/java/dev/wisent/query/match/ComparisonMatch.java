package dev.wisent.query.match;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.collation.CollatedValues;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $eq}, {@code $lt}, {@code $lte}, {@code $gt} and {@code $gte}.
 *
 * <p>Values of another type never match, with three exceptions: numbers compare with numbers and
 * strings with symbols; every value, and a missing one too, is greater than MinKey and less than
 * MaxKey; and a missing field equals null. Undefined does not equal null, as in MongoDB since 8.0.
 * NaN equals NaN and is neither less nor greater than anything.
 *
 * @param collated the operand under a collation; null for the simple one, and where the operand
 *     makes that no question
 */
public record ComparisonMatch(
    Comparison comparison,
    FieldPath path,
    RawValue operand,
    CollatedValues collated,
    WorkMeter meter)
    implements PathMatch {

  /** Which of the five. */
  public enum Comparison {
    EQ("$eq"),
    LT("$lt"),
    LTE("$lte"),
    GT("$gt"),
    GTE("$gte");

    private final String operator;

    Comparison(String operator) {
      this.operator = operator;
    }

    boolean includesEqual() {
      return this == EQ || this == LTE || this == GTE;
    }

    boolean accepts(int order) {
      return switch (this) {
        case EQ -> order == 0;
        case LT -> order < 0;
        case LTE -> order <= 0;
        case GT -> order > 0;
        case GTE -> order >= 0;
      };
    }
  }

  public ComparisonMatch {
    if (operand.type() == ElementType.UNDEFINED) {
      throw MatchErrors.badValue("cannot compare to undefined");
    }
  }

  /**
   * @param collation null for the simple one
   */
  public static ComparisonMatch of(
      Comparison comparison,
      FieldPath path,
      RawValue operand,
      Collation collation,
      WorkMeter meter) {
    return new ComparisonMatch(
        comparison, path, operand, CollatedValues.of(collation, operand), meter);
  }

  static ComparisonMatch equal(FieldPath path, RawValue operand, QueryContext context) {
    return of(Comparison.EQ, path, operand, context.collation(), context.meter());
  }

  /** $gt and the like; an equality may also be with a regular expression as a value. */
  static MatchExpression parseRange(
      Comparison comparison, FieldPath path, Operand operand, QueryContext context) {
    if (operand.value().type() == ElementType.REGEX) {
      throw MatchErrors.badValue(
          "Can't have RegEx as arg to predicate over field '" + path.dotted() + "'.");
    }
    return of(comparison, path, operand.value(), context.collation(), context.meter());
  }

  static MatchExpression parseNotEqual(FieldPath path, Operand operand, QueryContext context) {
    if (operand.value().type() == ElementType.REGEX) {
      throw MatchErrors.badValue("Can't have regex as arg to $ne.");
    }
    return new NotMatch(equal(path, operand.value(), context));
  }

  /** How strings compare; null for the simple collation, and where the operand does not care. */
  public Collation collation() {
    return collated == null ? null : collated.collation();
  }

  public boolean isEquality() {
    return comparison == Comparison.EQ;
  }

  @Override
  public String operator() {
    return comparison.operator;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null) {
      return operand.type() == ElementType.NULL ? comparison.includesEqual() : matchesOtherType();
    }
    if (value.type() != operand.type()
        && ElementType.rank(value.type()) != ElementType.rank(operand.type())) {
      return matchesOtherType();
    }
    if (collated != null) {
      return comparison.accepts(collated.compare(value));
    }
    if (comparison == Comparison.EQ) {
      return ValueOrder.equal(value, operand);
    }
    boolean valueIsNaN = isNaN(value);
    boolean operandIsNaN = isNaN(operand);
    if (valueIsNaN || operandIsNaN) {
      return valueIsNaN && operandIsNaN && comparison.includesEqual();
    }
    return comparison.accepts(ValueOrder.compare(value, operand));
  }

  private boolean matchesOtherType() {
    return switch (comparison) {
      case EQ -> false;
      case LT, LTE -> operand.type() == ElementType.MAX_KEY;
      case GT, GTE -> operand.type() == ElementType.MIN_KEY;
    };
  }

  private static boolean isNaN(RawValue value) {
    return switch (value.type()) {
      case ElementType.DOUBLE -> Double.isNaN(value.asDouble());
      case ElementType.DECIMAL128 -> value.asDecimal128().isNaN();
      default -> false;
    };
  }
}
