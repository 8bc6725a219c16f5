package dev.wisent.database.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchParser;
import org.junit.jupiter.api.Test;

class QueryShapeTest {
  @Test
  void valuesDoNotMatter() {
    assertThat(shape("{a: 1, b: {$gt: 2}}")).isEqualTo(shape("{b: {$gt: 'x'}, a: null}"));
    assertThat(shape("{a: {$in: [1, 2]}}")).isEqualTo(shape("{a: {$in: [3, 4, 5]}}"));
    assertThat(shape("{$and: [{a: 1}, {b: 2}]}")).isEqualTo(shape("{a: 5, b: 6}"));
    assertThat(shape("{a: 1}").hash()).isEqualTo(shape("{a: 2}").hash()).hasSize(8);
  }

  @Test
  void operatorsPathsAndNestingMatter() {
    assertThat(shape("{a: 1}"))
        .isNotEqualTo(shape("{b: 1}"))
        .isNotEqualTo(shape("{a: {$gt: 1}}"))
        .isNotEqualTo(shape("{a: {$ne: 1}}"))
        .isNotEqualTo(shape("{a: 1, b: 1}"));
    assertThat(shape("{$or: [{a: 1}, {b: 1}]}")).isNotEqualTo(shape("{a: 1, b: 1}"));
    assertThat(shape("{a: {$elemMatch: {x: 1, y: 1}}}"))
        .isNotEqualTo(shape("{a: {$elemMatch: {x: 1}}, y: 1}"));
  }

  @Test
  void constantsOfExpressionsDoNotMatterButTheirTypes() {
    assertThat(shape("{$expr: {$gt: [{$add: ['$a', 1]}, 1]}}"))
        .isEqualTo(shape("{$expr: {$gt: [{$add: ['$a', 2]}, 9]}}"))
        .isNotEqualTo(shape("{$expr: {$gt: [{$add: ['$a', 1]}, 'x']}}"))
        .isNotEqualTo(shape("{$expr: {$gt: [{$add: ['$b', 1]}, 1]}}"));
  }

  @Test
  void sortAndProjectionMatter() {
    RawDocument none = RawDocument.EMPTY;
    RawDocument up = RawDocument.parse("{a: 1}");
    var filter = MatchParser.parse(none, QueryContext.of(() -> 0, () -> 0));
    assertThat(QueryShape.of(filter, up, none, null))
        .isNotEqualTo(QueryShape.of(filter, none, up, null));
    assertThat(QueryShape.of(filter, up, none, null))
        .isNotEqualTo(QueryShape.of(filter, RawDocument.parse("{a: -1}"), none, null));
  }

  @Test
  void collationMatters() {
    RawDocument none = RawDocument.EMPTY;
    var filter = MatchParser.parse(none, QueryContext.of(() -> 0, () -> 0));
    var english = Collation.parse(RawDocument.parse("{locale: 'en'}"));
    var loose = Collation.parse(RawDocument.parse("{locale: 'en', strength: 1}"));
    assertThat(QueryShape.of(filter, none, none, english))
        .isNotEqualTo(QueryShape.of(filter, none, none, null))
        .isNotEqualTo(QueryShape.of(filter, none, none, loose));
  }

  private static QueryShape shape(String filter) {
    var context = QueryContext.of(() -> 0, () -> 0);
    return QueryShape.of(
        MatchParser.parse(RawDocument.parse(filter), context),
        RawDocument.EMPTY,
        RawDocument.EMPTY,
        null);
  }
}
