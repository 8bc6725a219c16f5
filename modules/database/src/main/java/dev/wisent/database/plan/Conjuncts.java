package dev.wisent.database.plan;

import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import java.util.List;

/** Filters as lists of conditions that all have to hold, and back. */
public final class Conjuncts {
  private Conjuncts() {}

  /** The conditions of a filter in its normal form; {@code $nor} is a list of opposites. */
  public static List<MatchExpression> members(MatchExpression filter) {
    return switch (filter) {
      case AndMatch and ->
          and.children().stream().map(Conjuncts::members).flatMap(List::stream).toList();
      case NorMatch nor -> nor.children().stream().<MatchExpression>map(NotMatch::new).toList();
      case AlwaysMatch always when always == AlwaysMatch.TRUE -> List.of();
      default -> List.of(filter);
    };
  }

  /** A filter of some conditions; null for none. */
  public static MatchExpression of(List<MatchExpression> members) {
    return switch (members.size()) {
      case 0 -> null;
      case 1 -> members.getFirst();
      default -> new AndMatch(members);
    };
  }
}
