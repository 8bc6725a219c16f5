package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import org.junit.jupiter.api.Test;

class ExprMatchTest {
  private static MatchExpression parse(String filter) {
    return MatchParser.parse(RawDocument.parse(filter), QueryContext.of(() -> 0, () -> 0));
  }

  @Test
  void constantsAreDecidedAtOnce() {
    assertThat(parse("{$expr: {$gt: [2, 1]}}")).isEqualTo(AlwaysMatch.TRUE);
    assertThat(parse("{$expr: null}")).isEqualTo(AlwaysMatch.FALSE);
  }

  @Test
  void explainShowsWhatAnIndexMayUse() {
    MatchExpression filter = parse("{$expr: {$and: [{$eq: ['$a', 5]}, {$lt: [3, '$b.c']}]}}");
    assertThat(MatchDocument.of(MatchNormalForm.of(filter)))
        .isEqualTo(
            RawDocument.parse(
                "{$and: [{a: {$_internalExprEq: 5}}, {'b.c': {$_internalExprGt: 3}}, {$expr: {$and:"
                    + " [{$eq: ['$a', {$const: 5}]}, {$lt: [{$const: 3}, '$b.c']}]}}]}"));
  }
}
