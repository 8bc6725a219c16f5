package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;

/**
 * A filter that finds what the positional {@code $} stands for. As in MongoDB it looks at the
 * normal form: {@code $or} reports nothing, but equalities of one field in an {@code $or} are an
 * {@code $in}; and of several conditions the last one in the order of the normal form counts.
 */
public final class PositionalFilter {
  private final MatchExpression filter;

  private PositionalFilter(MatchExpression filter) {
    this.filter = filter;
  }

  /**
   * @param filter null where every document matches
   */
  public static PositionalFilter of(MatchExpression filter) {
    return new PositionalFilter(filter == null ? AlwaysMatch.TRUE : MatchNormalForm.of(filter));
  }

  /** Which array element made a document match. */
  public MatchDetails detailsOf(RawDocument document) {
    var details = new MatchDetails();
    filter.matches(document, details);
    return details;
  }
}
