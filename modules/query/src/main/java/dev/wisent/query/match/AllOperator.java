package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;

/**
 * {@code $all}: equal to, or containing, each of the values. It is the conjunction of those
 * equalities, or of {@code $elemMatch} conditions if those are listed, and has no node of its own.
 */
final class AllOperator {
  private static final String INCONSISTENT = "$all/$elemMatch has to be consistent";

  private AllOperator() {}

  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    if (!operand.value().isArray()) {
      throw MatchErrors.badValue("$all needs an array");
    }
    ElementCursor elements = operand.value().elements();
    var conditions = new ArrayList<MatchExpression>();
    boolean ofElemMatches = false;
    for (int i = 0; elements.next(); i++) {
      RawValue value = elements.value();
      ElementCursor first = firstField(value);
      if (i == 0) {
        ofElemMatches = isElemMatch(first);
      }
      if (ofElemMatches) {
        if (!isElemMatch(first)) {
          throw MatchErrors.badValue(INCONSISTENT);
        }
        var inner = new Operand("$elemMatch", first.value(), value.asDocument());
        conditions.add(ElemMatch.parse(parser, path, inner));
      } else {
        conditions.add(equality(parser, path, value, first));
      }
    }
    return conditions.isEmpty() ? AlwaysMatch.FALSE : new AndMatch(conditions);
  }

  private static MatchExpression equality(
      MatchParser parser, FieldPath path, RawValue value, ElementCursor first) {
    if (value.type() == ElementType.REGEX) {
      return RegexMatch.ofLiteral(path, value, parser.meter());
    }
    if (first != null && MatchOperators.isFieldOperator(first.name())) {
      throw MatchErrors.badValue("no $ expressions in $all");
    }
    return ComparisonMatch.equal(path, value, parser.context());
  }

  private static ElementCursor firstField(RawValue value) {
    if (!value.isDocument()) {
      return null;
    }
    ElementCursor elements = value.elements();
    return elements.next() ? elements : null;
  }

  private static boolean isElemMatch(ElementCursor first) {
    return first != null && first.name().equals("$elemMatch");
  }
}
