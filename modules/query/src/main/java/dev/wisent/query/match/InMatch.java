package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.collation.CollatedValues;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * {@code $in}: one of the values, or one of the regular expressions. Null also stands for a missing
 * field.
 *
 * @param equalities in the order of {@link ValueOrder}, or of the collation, and without
 *     duplicates, so that a lookup is a binary search and a planner gets its points in index order
 * @param collated the same under a collation; null for the simple one, and where no value makes
 *     that a question
 */
public record InMatch(
    FieldPath path,
    List<RawValue> equalities,
    List<RegexMatch> regexes,
    CollatedValues collated,
    WorkMeter meter)
    implements PathMatch {
  public InMatch {
    equalities = List.copyOf(equalities);
    regexes = List.copyOf(regexes);
  }

  /**
   * @param values in any order
   * @param collation null for the simple one
   */
  public static InMatch of(
      FieldPath path,
      List<RawValue> values,
      List<RegexMatch> regexes,
      Collation collation,
      WorkMeter meter) {
    List<RawValue> equalities = sortedAndDistinct(values, collation);
    return new InMatch(path, equalities, regexes, CollatedValues.of(collation, equalities), meter);
  }

  static InMatch parse(FieldPath path, Operand operand, QueryContext context) {
    if (!operand.value().isArray()) {
      throw MatchErrors.badValue(operand.operator() + " needs an array");
    }
    var equalities = new ArrayList<RawValue>();
    var regexes = new ArrayList<RegexMatch>();
    ElementCursor elements = operand.value().elements();
    while (elements.next()) {
      RawValue value = elements.value();
      if (OperatorDocuments.isOperatorDocument(value)) {
        throw MatchErrors.badValue("cannot nest $ under $in");
      }
      switch (value.type()) {
        case ElementType.REGEX -> regexes.add(RegexMatch.ofLiteral(path, value, context.meter()));
        case ElementType.UNDEFINED ->
            throw MatchErrors.badValue("InMatchExpression equality cannot be undefined");
        default -> equalities.add(value);
      }
    }
    return of(path, equalities, regexes, context.collation(), context.meter());
  }

  private static List<RawValue> sortedAndDistinct(List<RawValue> values, Collation collation) {
    var sorted = new ArrayList<>(values);
    sorted.sort((a, b) -> Collation.compare(collation, a, b));
    var distinct = new ArrayList<RawValue>(sorted.size());
    for (RawValue value : sorted) {
      if (distinct.isEmpty() || !Collation.equal(collation, distinct.getLast(), value)) {
        distinct.add(value);
      }
    }
    return List.copyOf(distinct);
  }

  /** How strings compare; null for the simple collation, and where no value cares. */
  public Collation collation() {
    return collated == null ? null : collated.collation();
  }

  @Override
  public String operator() {
    return "$in";
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null) {
      return contains(RawValue.NULL);
    }
    if (contains(value)) {
      return true;
    }
    for (int i = 0; i < regexes.size(); i++) {
      if (regexes.get(i).matchesValue(value)) {
        return true;
      }
    }
    return false;
  }

  private boolean contains(RawValue value) {
    if (collated != null) {
      return collated.contains(value);
    }
    return Collections.binarySearch(equalities, value, ValueOrder::compare) >= 0;
  }
}
