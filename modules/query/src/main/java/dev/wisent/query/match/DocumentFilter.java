package dev.wisent.query.match;

import dev.wisent.bson.FieldFinder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A filter at work on one document after the other, for one thread. It says what {@link
 * MatchExpression#matches(RawDocument)} says, with less work where many documents are asked: the
 * fields of all conditions are found in one walk over the document, which ends with the first
 * condition that does not hold.
 */
public final class DocumentFilter {
  private static final RawValue NOTHING = RawValue.ofDocument(RawDocument.EMPTY);

  private final FieldFinder fields;

  /** By the number of the field: what is asked while walking; null for nothing. */
  private final FieldTest[] tests;

  /** What is dear to ask, after all that is cheap; null for nothing. */
  private final FieldTest[] lateTests;

  /** Whether all conditions on a field hold where it is missing. */
  private final boolean[] holdWithout;

  /** Conditions on several fields, or on the document as a whole. */
  private final MatchExpression[] others;

  private DocumentFilter(Map<String, List<MatchExpression>> byField, List<MatchExpression> others) {
    this.fields = FieldFinder.of(List.copyOf(byField.keySet()));
    this.tests = new FieldTest[byField.size()];
    this.lateTests = new FieldTest[byField.size()];
    this.holdWithout = new boolean[byField.size()];
    this.others = others.toArray(MatchExpression[]::new);
    int field = 0;
    for (List<MatchExpression> conditions : byField.values()) {
      tests[field] = testOf(conditions.stream().filter(one -> !isDear(one)).toList());
      lateTests[field] = testOf(conditions.stream().filter(DocumentFilter::isDear).toList());
      holdWithout[field] = conditions.stream().allMatch(one -> one.matches(NOTHING, 0, null));
      field++;
    }
  }

  private static FieldTest testOf(List<MatchExpression> conditions) {
    return conditions.isEmpty() ? null : FieldTest.of(conditions);
  }

  /**
   * @param filter null for one that every document matches
   * @return null for such a one
   */
  public static DocumentFilter of(MatchExpression filter) {
    if (filter == null || filter == AlwaysMatch.TRUE) {
      return null;
    }
    var byField = new LinkedHashMap<String, List<MatchExpression>>();
    var others = new ArrayList<MatchExpression>();
    addConditions(filter, byField, others);
    return new DocumentFilter(byField, others);
  }

  private static void addConditions(
      MatchExpression filter,
      Map<String, List<MatchExpression>> byField,
      List<MatchExpression> others) {
    if (filter instanceof AndMatch and) {
      and.children().forEach(child -> addConditions(child, byField, others));
      return;
    }
    Set<String> names = new HashSet<>();
    if (addNames(filter, names) && names.size() == 1) {
      byField.computeIfAbsent(names.iterator().next(), name -> new ArrayList<>()).add(filter);
    } else {
      others.add(filter);
    }
  }

  /** Adds the first part of every path; false where a condition is not about paths. */
  private static boolean addNames(MatchExpression condition, Set<String> names) {
    return switch (condition) {
      case PathMatch leaf -> {
        names.add(leaf.path().name(0));
        yield true;
      }
      case AndMatch and -> addNames(and.children(), names);
      case OrMatch or -> addNames(or.children(), names);
      case NorMatch nor -> addNames(nor.children(), names);
      case NotMatch not -> addNames(not.child(), names);
      case AlwaysMatch _ -> false;
      case SampleRateMatch _ -> false;
      case TextMatch _ -> false;
      case JsonSchemaMatch _ -> false;
      case WhereMatch _ -> false;
      case ExprMatch _ -> false;
    };
  }

  private static boolean addNames(List<MatchExpression> children, Set<String> names) {
    return children.stream().allMatch(child -> addNames(child, names));
  }

  /** Whether it is better to have asked all others first. */
  private static boolean isDear(MatchExpression condition) {
    return !(condition instanceof ComparisonMatch
        || condition instanceof ExistsMatch
        || condition instanceof TypeMatch
        || condition instanceof SizeMatch
        || condition instanceof ModMatch);
  }

  public boolean matches(RawDocument document) {
    FieldFinder found = fields;
    found.start(document);
    for (int field = found.next(); field >= 0; field = found.next()) {
      FieldTest test = tests[field];
      if (test != null && !holds(test, field)) {
        return false;
      }
    }
    return missingHold() && lateHold() && othersHold(document);
  }

  private boolean holds(FieldTest test, int field) {
    return test.test(
        fields.type(field), fields.bytes(), fields.offset(field), fields.length(field));
  }

  private boolean missingHold() {
    for (int field = 0; field < holdWithout.length; field++) {
      if (!holdWithout[field] && !fields.isFound(field)) {
        return false;
      }
    }
    return true;
  }

  private boolean lateHold() {
    for (int field = 0; field < lateTests.length; field++) {
      FieldTest test = lateTests[field];
      if (test != null && fields.isFound(field) && !holds(test, field)) {
        return false;
      }
    }
    return true;
  }

  private boolean othersHold(RawDocument document) {
    for (MatchExpression other : others) {
      if (!other.matches(document)) {
        return false;
      }
    }
    return true;
  }
}
