package dev.wisent.database.index;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;

/** What documents must match to be in a partial index. */
record PartialFilter(RawDocument source, QueryContext context, MatchExpression expression) {
  /**
   * @param source null for an index that is not partial
   * @param collation null for the simple one
   * @return null for an index that is not partial
   */
  static PartialFilter of(RawDocument source, Collation collation) {
    if (source == null) {
      return null;
    }
    QueryContext context = QueryContexts.ofRules(collation);
    return new PartialFilter(source, context, MatchParser.parse(source, context));
  }

  /**
   * @param meter lets an operation end the matching where filter and document are long
   */
  boolean matches(RawDocument document, WorkMeter meter) {
    boolean isLong = (long) source.length() * document.length() > WorkMeter.LONG_MATCH;
    MatchExpression metered =
        isLong ? MatchParser.parse(source, context.withMeter(meter)) : expression;
    return metered.matches(document);
  }
}
