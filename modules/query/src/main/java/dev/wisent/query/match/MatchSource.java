package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** A filter as a document that a client could have written, to be parsed again. */
public final class MatchSource {
  private MatchSource() {}

  public static RawDocument of(MatchExpression filter) {
    return MatchDocument.of(written(filter));
  }

  /** Without the conditions that parsing derives from expressions. */
  private static MatchExpression written(MatchExpression filter) {
    return switch (filter) {
      case AndMatch and ->
          AndMatch.of(
              written(
                  and.children().stream()
                      .filter(child -> !(child instanceof ExprComparisonMatch))
                      .toList()));
      case OrMatch or -> new OrMatch(written(or.children()));
      case NorMatch nor -> new NorMatch(written(nor.children()));
      case NotMatch not -> new NotMatch(written(not.child()));
      default -> filter;
    };
  }

  private static List<MatchExpression> written(List<MatchExpression> filters) {
    return filters.stream().map(MatchSource::written).toList();
  }
}
