package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;

class ExprMatchTest {
  private static MatchExpression parse(String filter) {
    return MatchParser.parse(RawDocument.parse(filter), QueryContext.of(() -> 0, () -> 0));
  }

  private static boolean matches(String filter, String document) {
    return parse(filter).matches(RawDocument.parse(document));
  }

  @Test
  void comparesFields() {
    assertThat(matches("{$expr: {$gt: ['$a', '$b']}}", "{a: 2, b: 1}")).isTrue();
    assertThat(matches("{$expr: {$gt: ['$a', '$b']}}", "{a: 1, b: 2}")).isFalse();
    assertThat(matches("{c: 1, $expr: {$eq: ['$a', 1]}}", "{a: 1, c: 1}")).isTrue();
    assertThat(matches("{$nor: [{$expr: {$eq: ['$a', 1]}}]}", "{a: 1}")).isFalse();
    assertThat(matches("{$or: [{x: 1}, {$expr: '$a'}]}", "{a: 0}")).isFalse();
  }

  @Test
  void comparesAcrossTypesAndArraysAsAWhole() {
    assertThat(matches("{$expr: {$gt: ['$a', 1]}}", "{a: 'x'}")).isTrue();
    assertThat(matches("{$expr: {$lt: ['$a', 1]}}", "{}")).isTrue();
    assertThat(matches("{$expr: {$eq: ['$a', 1]}}", "{a: [1]}")).isFalse();
    assertThat(matches("{$expr: {$eq: ['$a.b', [1]]}}", "{a: [{b: 1}]}")).isTrue();
    assertThat(matches("{$expr: {$gt: ['$a.b', 0]}}", "{a: [{b: 1}]}")).isTrue();
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

  @Test
  void onlyForWholeDocuments() {
    assertThatThrownBy(() -> parse("{a: {$elemMatch: {$expr: 1}}}"))
        .hasMessage("$expr can only be applied to the top-level document");
    assertThatThrownBy(() -> parse("{$expr: {$size: 5}}"))
        .hasMessage(
            "Failed to optimize expression :: caused by :: The argument to $size must be an array,"
                + " but was of type: int");
  }
}
