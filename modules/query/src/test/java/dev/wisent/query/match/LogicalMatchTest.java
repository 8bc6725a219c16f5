package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogicalMatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                   | {a: 1}          | true
          {a: 1, b: 2}                         | {a: 1, b: 2}    | true
          {a: 1, b: 2}                         | {a: 1}          | false
          {$and: [{a: 1}, {b: 2}]}             | {a: 1, b: 2}    | true
          {$and: [{a: 1}, {b: 2}]}             | {a: 1, b: 3}    | false
          {$and: [{a: 1}, {a: 2}]}             | {a: [1, 2]}     | true
          {$or: [{a: 1}, {b: 2}]}              | {b: 2}          | true
          {$or: [{a: 1}, {b: 2}]}              | {b: 3}          | false
          {$or: [{a: 1}, {b: null}]}           | {}              | true
          {$or: [{}, {b: 2}]}                  | {b: 3}          | true
          {$nor: [{a: 1}, {b: 2}]}             | {}              | true
          {$nor: [{a: 1}, {b: 2}]}             | {a: [0, 1]}     | false
          {a: {$not: {$gt: 5}}}                | {a: 5}          | true
          {a: {$not: {$gt: 5}}}                | {}              | true
          {a: {$not: {$gt: 5}}}                | {a: "x"}        | true
          {a: {$not: {$gt: 5}}}                | {a: [1, 6]}     | false
          {a: {$not: {$gt: 5, $lt: 9}}}        | {a: 10}         | true
          {a: {$not: {$gt: 5, $lt: 9}}}        | {a: 7}          | false
          {a: {$not: /x/}}                     | {a: "x"}        | false
          {a: {$not: /x/}}                     | {a: 1}          | true
          {a: {$not: {$not: {$eq: 1}}}}        | {a: 1}          | true
          {a: {$not: {$regex: "x"}}}           | {a: "y"}        | true
          {"a.b": {$not: {$gt: 1}}}            | {a: [{b: 2}]}   | false
          {$and: [{$or: [{a: 1}, {a: 2}]}, {$nor: [{b: 1}]}]} | {a: 2, b: 2} | true
          {$alwaysTrue: 1}                     | {}              | true
          {$alwaysFalse: 1.0}                  | {}              | false
          {$comment: "why", a: 1}              | {a: 1}          | true
          {$comment: "why"}                    | {}              | true
          """)
  void cases(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$and: 1}              | 2 | $and must be an array
          {$or: {a: 1}}          | 2 | $or must be an array
          {$nor: "x"}            | 2 | $nor must be an array
          {$and: []}             | 2 | $and/$or/$nor must be a nonempty array
          {$or: [1]}             | 2 | $or/$and/$nor entries need to be full objects
          {$nor: [{a: 1}, []]}   | 2 | $or/$and/$nor entries need to be full objects
          {a: {$not: 1}}         | 2 | $not needs a regex or a document
          {a: {$not: {}}}        | 2 | $not cannot be empty
          {a: {$not: {b: 1}}}    | 2 | unknown operator: b
          {a: {$and: [{}]}}      | 2 | unknown operator: $and
          {$alwaysTrue: 2}       | 9 | $alwaysTrue must be an integer value of 1
          {$alwaysFalse: "x"}    | 9 | Expected a number in: $alwaysFalse: "x"
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }

  @Test
  void sampleRateGoesByTheContext() {
    MatchCases.assertMatch("{$sampleRate: 0.6}", "{}", true);
    MatchCases.assertMatch("{$sampleRate: 0.4}", "{}", false);
    MatchCases.assertMatch("{$sampleRate: 1}", "{}", true);
    MatchCases.assertMatch("{$sampleRate: 0}", "{}", false);
    MatchCases.assertRefused(
        "{$sampleRate: \"x\"}", 2, "argument to $sampleRate must be a numeric type");
    MatchCases.assertRefused(
        "{$sampleRate: 1.1}", 2, "numeric argument to $sampleRate must be in [0, 1]");
    MatchCases.assertRefused(
        "{$sampleRate: NaN}", 2, "numeric argument to $sampleRate must be in [0, 1]");
    MatchCases.assertRefused(
        "{a: {$elemMatch: {$sampleRate: 0.5, x: 1}}}",
        2,
        "$sampleRate can only be applied to the top-level document");
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
