package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonMatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}                     | {b: 1, a: NumberLong(1)}       | true
          {a: 1}                     | {a: [3, 2, 1]}                 | true
          {a: 1}                     | {a: "1"}                       | false
          {a: null}                  | {}                             | true
          {a: {b: 1}}                | {a: {b: 1}}                    | true
          {a: {b: 1}}                | {a: {b: 1, c: 2}}              | false
          {"a.b": 1, c: 2}           | {a: [{b: 0}, {b: 1}], c: 2}    | true
          {a: {}}                    | {a: {}}                        | true
          """)
  void valuesWithoutAnOperator(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @Test
  void undefinedWithoutAnOperator() {
    MatchCases.assertRefused("{a: undefined}", 2, "cannot compare to undefined");
  }

  @Test
  void theTreeSaysWhatWasAsked() {
    var match = (ComparisonMatch) MatchCases.parse("{\"a.b\": {$gte: 5}}");
    assertThat(match.path().dotted()).isEqualTo("a.b");
    assertThat(match.operator()).isEqualTo("$gte");
    assertThat(match.operand().asInt32()).isEqualTo(5);
    var in = (InMatch) MatchCases.parse("{a: {$in: [3, 1, 1.0, 2]}}");
    assertThat(in.equalities()).extracting(v -> v.toDouble()).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void anElementIsTheValueOfTheFirstPart() {
    MatchExpression filter = MatchCases.parse("{\"i.x\": 1}");
    assertThat(filter.matchesElement(RawDocument.parse("{v: {x: 1}}").get("v"))).isTrue();
    assertThat(filter.matchesElement(RawDocument.parse("{v: {x: 2}}").get("v"))).isFalse();
    assertThat(filter.matchesElement(RawDocument.parse("{v: [{x: 1}]}").get("v"))).isTrue();
    assertThat(filter.matchesElement(RawDocument.parse("{v: 1}").get("v"))).isFalse();
    MatchExpression bare =
        MatchParser.parseElementCondition(RawDocument.parse("{$gt: 3}"), MatchCases.CONTEXT);
    assertThat(bare.matchesElement(RawDocument.parse("{v: 4}").get("v"))).isTrue();
    assertThat(bare.matchesElement(RawDocument.parse("{v: [4]}").get("v"))).isTrue();
    assertThat(bare.matchesValue(RawDocument.parse("{v: [4]}").get("v"))).isFalse();
  }
}
