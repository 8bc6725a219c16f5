package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;

class LogicalMatchTest {
  @Test
  void allFieldsHaveToMatch() {
    MatchCases.assertMatch("{}", "{a: 1}", true);
    MatchCases.assertMatch("{a: 1, b: 2}", "{a: 1, b: 2}", true);
    MatchCases.assertMatch("{a: 1, b: 2}", "{a: 1}", false);
  }

  @Test
  void oneConditionStandsForItself() {
    assertThat(MatchCases.parse("{a: 1}")).isInstanceOf(ComparisonMatch.class);
    assertThat(MatchCases.parse("{}")).isEqualTo(AlwaysMatch.TRUE);
    assertThat(MatchCases.parse("{a: {$gt: 1, $lt: 2}}")).isInstanceOf(AndMatch.class);
  }

  @Test
  void allPathsAreListed() {
    var paths = new java.util.ArrayList<String>();
    MatchCases.parse(
            "{a: 1, $or: [{b: 1}, {$nor: [{c: 1}]}], d: {$not: {$gt: 1}}, e: {$elemMatch: {x: 1}}}")
        .forEachPath(path -> paths.add(path.dotted()));
    assertThat(paths).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void equalFiltersAreEqual() {
    String filter = "{a: 1, b: {$in: [1, /x/]}, c: {$bitsAllSet: 3}, d: {$elemMatch: {$gt: 1}}}";
    assertThat(MatchCases.parse(filter)).isEqualTo(MatchCases.parse(filter));
    assertThat(MatchCases.parse(filter).hashCode()).isEqualTo(MatchCases.parse(filter).hashCode());
    assertThat(MatchCases.parse("{a: 1}").matches(RawDocument.parse("{a: 1}"), null)).isTrue();
  }
}
