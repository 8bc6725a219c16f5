package dev.wisent.database.planner;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanNode.Project;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import java.util.Comparator;
import java.util.List;

/**
 * Finds by one value of one field, of which one document is wanted or can be there: the first key
 * of an index answers them, and no other plan can be better. As in MongoDB 8.0 such a plan is not
 * compared with others.
 */
final class KeyLookups {
  private KeyLookups() {}

  /** The plan; null for every other find. */
  static PlanNode find(Query query, MatchExpression filter, List<Index> indexes) {
    if (!isPlain(query)
        || !(filter instanceof ComparisonMatch comparison)
        || comparison.comparison() != Comparison.EQ
        || !isOneKey(comparison.operand())) {
      return null;
    }
    List<MatchExpression> members = List.of(filter);
    List<Predicate> predicates = Predicate.of(members);
    return indexes.stream()
        .filter(index -> canAnswer(index, comparison.path(), query, members))
        .sorted(Comparator.comparingInt(Index::fieldCount))
        .map(index -> IndexAccessBuilder.build(IndexView.of(index), members, predicates))
        .filter(KeyLookups::isAnswer)
        .map(access -> project(new PlanNode.KeyLookup(access.index(), access.bounds()), query))
        .findFirst()
        .orElse(null);
  }

  private static boolean isPlain(Query query) {
    return query.purpose() instanceof Query.Purpose.Find
        && query.sortSource().isEmpty()
        && query.skip() == 0
        && !query.returnKey()
        && !query.showRecordId()
        && (query.projection() == null || query.projection().isSimple());
  }

  /** Null also stands for what is missing, and an array is no key. */
  private static boolean isOneKey(RawValue value) {
    return !value.isNullish() && !value.isArray() && value.type() != ElementType.REGEX;
  }

  private static boolean canAnswer(
      Index index, FieldPath path, Query query, List<MatchExpression> members) {
    return index.kind() == Index.Kind.ORDERED
        && index.path(0).equals(path)
        && (query.limit() == 1 || (index.isUnique() && index.fieldCount() == 1))
        && (index.partialFilter() == null || Implication.holds(members, index.partialFilter()));
  }

  private static boolean isAnswer(IndexAccess access) {
    return access != null
        && access.filter() == null
        && access.keyFilter() == null
        && access.fields().getFirst().isPoint();
  }

  private static PlanNode project(PlanNode lookup, Query query) {
    return query.projection() == null || query.isLax()
        ? lookup
        : new Project(lookup, query.projection(), Project.Kind.PROJECTION_SIMPLE);
  }
}
