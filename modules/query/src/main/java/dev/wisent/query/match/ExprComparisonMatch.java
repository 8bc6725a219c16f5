package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $_internalExprEq} and the like: what follows for a field from a comparison inside an
 * {@code $expr}, for indexes to make use of. It compares values of any types, and holds wherever an
 * array is met, because only the expression beside it knows what to do with that.
 */
public record ExprComparisonMatch(
    Comparison comparison, FieldPath path, RawValue operand, WorkMeter meter) implements PathMatch {

  @Override
  public String operator() {
    return switch (comparison) {
      case EQ -> "$_internalExprEq";
      case LT -> "$_internalExprLt";
      case LTE -> "$_internalExprLte";
      case GT -> "$_internalExprGt";
      case GTE -> "$_internalExprGte";
    };
  }

  @Override
  public boolean expandsLeafArrays() {
    return false;
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    meter.add(root.length());
    RawValue value = root;
    for (int i = boundParts; i < path.length(); i++) {
      if (value.isArray()) {
        return true;
      }
      value = value.isDocument() ? field(value, path.part(i)) : null;
      if (value == null) {
        break;
      }
    }
    return matchesValue(value);
  }

  private static RawValue field(RawValue document, byte[] name) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.nameEquals(name)) {
        return fields.value();
      }
    }
    return null;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return (value != null && value.type() == ElementType.ARRAY)
        || comparison.accepts(Values.compare(value, operand));
  }
}
