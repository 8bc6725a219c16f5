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
          {a: 1}                     | {a: 1}                         | true
          {a: 1}                     | {b: 1, a: NumberLong(1)}       | true
          {a: 1}                     | {a: 1.0}                       | true
          {a: 1}                     | {a: NumberDecimal("1.00")}     | true
          {a: 1}                     | {a: "1"}                       | false
          {a: 1}                     | {a: true}                      | false
          {a: 1}                     | {b: 1}                         | false
          {a: 1}                     | {a: null}                      | false
          {a: 1}                     | {}                             | false
          {a: 1}                     | {a: [3, 2, 1]}                 | true
          {a: 1}                     | {a: [[1]]}                     | false
          {a: [1]}                   | {a: [[1]]}                     | true
          {a: [1, 2]}                | {a: [1, 2]}                    | true
          {a: [1, 2]}                | {a: [2, 1]}                    | false
          {a: {b: 1}}                | {a: {b: 1}}                    | true
          {a: {b: 1}}                | {a: {b: 1, c: 2}}              | false
          {a: {b: 1, c: 2}}          | {a: {c: 2, b: 1}}              | false
          {a: {}}                    | {a: {}}                        | true
          {a: {}}                    | {a: {b: 1}}                    | false
          {"a.b": 1}                 | {a: {b: 1}}                    | true
          {"a.b": 1}                 | {a: [{b: 0}, {b: 1}]}          | true
          {"a.b": 1}                 | {a: [{b: [0, 1]}]}             | true
          {"a.b": 1}                 | {a: [[{b: 1}]]}                | false
          {"a.b": 1}                 | {"a.b": 1}                     | false
          {"a.b": 1}                 | {a: 1}                         | false
          {"a.0": 1}                 | {a: [1, 2]}                    | true
          {"a.1": 1}                 | {a: [1, 2]}                    | false
          {"a.0": 1}                 | {a: {"0": 1}}                  | true
          {"a.0": 1}                 | {a: [{"0": 1}]}                | true
          {"a.0": 1}                 | {a: [[1]]}                     | false
          {"a.00": 1}                | {a: [1]}                       | false
          {"a.0.b": 1}               | {a: [{b: 1}, {b: 2}]}          | true
          {"a.1.b": 1}               | {a: [{b: 1}, {b: 2}]}          | false
          {"a.0.0": 1}               | {a: [[1, 2]]}                  | true
          {"a.b.0": 1}               | {a: {b: [1]}}                  | true
          {"": 1}                    | {"": 1}                        | true
          {"a.": 1}                  | {a: {"": 1}}                   | true
          {a: null}                  | {a: null}                      | true
          {a: null}                  | {}                             | true
          {a: null}                  | {a: undefined}                 | false
          {a: null}                  | {a: 0}                         | false
          {a: null}                  | {a: []}                        | false
          {a: null}                  | {a: [1, null]}                 | true
          {"a.b": null}              | {}                             | true
          {"a.b": null}              | {a: 1}                         | true
          {"a.b": null}              | {a: {c: 1}}                    | true
          {"a.b": null}              | {a: []}                        | false
          {"a.b": null}              | {a: [1]}                       | false
          {"a.b": null}              | {a: [{b: 1}, {}]}              | true
          {a: NaN}                   | {a: NaN}                       | true
          {a: NaN}                   | {a: NumberDecimal("NaN")}      | true
          {a: NaN}                   | {a: 0}                         | false
          {a: {$eq: 1}}              | {a: [1]}                       | true
          {a: {$eq: /x/}}            | {a: /x/}                       | true
          {a: {$eq: /x/}}            | {a: "x"}                       | false
          {a: {$ne: 1}}              | {a: 2}                         | true
          {a: {$ne: 1}}              | {}                             | true
          {a: {$ne: 1}}              | {a: [2, 1]}                    | false
          {a: {$ne: null}}           | {}                             | false
          {a: {$ne: null}}           | {a: undefined}                 | true
          {a: -0.0}                  | {a: 0}                         | true
          {a: "x"}                   | {a: {$symbol: "x"}}             | true
          """)
  void equality(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$lt: 5}}              | {a: 4.9}                       | true
          {a: {$lt: 5}}              | {a: 5}                         | false
          {a: {$lte: 5}}             | {a: NumberLong(5)}             | true
          {a: {$gt: 5}}              | {a: NumberDecimal("5.01")}     | true
          {a: {$gt: 5}}              | {a: 5}                         | false
          {a: {$gte: 5}}             | {a: 5}                         | true
          {a: {$gt: 5}}              | {a: "9"}                       | false
          {a: {$gt: 5}}              | {a: true}                      | false
          {a: {$lt: 5}}              | {a: null}                      | false
          {a: {$lt: 5}}              | {}                             | false
          {a: {$gt: 1, $lt: 3}}      | {a: [0, 9]}                    | true
          {a: {$gt: 1, $lt: 3}}      | {a: [0, 1]}                    | false
          {a: {$gt: "a"}}            | {a: "b"}                       | true
          {a: {$gte: null}}          | {}                             | true
          {a: {$lte: null}}          | {a: null}                      | true
          {a: {$gt: null}}           | {a: null}                      | false
          {a: {$gte: null}}          | {a: undefined}                 | false
          {a: {$lt: NaN}}            | {a: 1}                         | false
          {a: {$lte: NaN}}           | {a: NaN}                       | true
          {a: {$gte: NaN}}           | {a: NumberDecimal("NaN")}      | true
          {a: {$gt: NaN}}            | {a: NaN}                       | false
          {a: {$lt: 1}}              | {a: NaN}                       | false
          {a: {$gt: {$minKey: 1}}}   | {a: 1}                         | true
          {a: {$gt: {$minKey: 1}}}   | {}                             | true
          {a: {$gt: {$minKey: 1}}}   | {a: {$minKey: 1}}              | false
          {a: {$gte: {$minKey: 1}}}  | {a: {$minKey: 1}}              | true
          {a: {$lt: {$maxKey: 1}}}   | {a: "x"}                       | true
          {a: {$lt: {$minKey: 1}}}   | {a: "x"}                       | false
          {a: {$lte: {$maxKey: 1}}}  | {}                             | true
          {a: {$gt: [1]}}            | {a: [1, 0]}                    | true
          {a: {$gt: [1]}}            | {a: 2}                         | false
          {a: {$gt: [1]}}            | {a: [[2]]}                     | true
          {a: {$gt: {b: 1}}}         | {a: {b: 2}}                    | true
          {a: {$lt: false}}          | {a: false}                     | false
          {a: {$lt: true}}           | {a: false}                     | true
          {"a.b": {$gt: 1}}          | {a: [{b: 0}, {b: 2}]}          | true
          """)
  void ranges(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$in: [1, "x", null]}} | {a: 1.0}                       | true
          {a: {$in: [1, "x", null]}} | {a: "x"}                       | true
          {a: {$in: [1, "x", null]}} | {}                             | true
          {a: {$in: [1, "x", null]}} | {a: undefined}                 | false
          {a: {$in: [1, "x", null]}} | {a: "y"}                       | false
          {a: {$in: [1, 2]}}         | {}                             | false
          {a: {$in: [1, 2]}}         | {a: [5, 2]}                    | true
          {a: {$in: [[1, 2]]}}       | {a: [1, 2]}                    | true
          {a: {$in: []}}             | {a: 1}                         | false
          {a: {$in: [/^x/]}}         | {a: "xyz"}                     | true
          {a: {$in: [/^x/]}}         | {a: /^x/}                      | true
          {a: {$in: [/^x/, 3]}}      | {a: 3}                         | true
          {a: {$in: [/^x/]}}         | {a: ["b", "xc"]}               | true
          {a: {$in: [NaN]}}          | {a: NaN}                       | true
          {a: {$in: [{$ref: "c", $id: 1}]}} | {a: {$ref: "c", $id: 1}} | true
          {a: {$nin: [1, 2]}}        | {a: 3}                         | true
          {a: {$nin: [1, 2]}}        | {}                             | true
          {a: {$nin: [1, null]}}     | {}                             | false
          {a: {$nin: [1, 2]}}        | {a: [3, 2]}                    | false
          {"a.b": {$in: [1]}}        | {a: [{b: 2}, {b: 1}]}          | true
          """)
  void in(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$in: 1}}            | 2 | $in needs an array
          {a: {$in: {b: 1}}}       | 2 | $in needs an array
          {a: {$nin: 1}}           | 2 | $nin needs an array
          {a: {$in: [{$gt: 1}]}}   | 2 | cannot nest $ under $in
          {a: {$in: [undefined]}}  | 2 | InMatchExpression equality cannot be undefined
          {a: {$gt: /x/}}          | 2 | Can't have RegEx as arg to predicate over field 'a'.
          {a: {$ne: /x/}}          | 2 | Can't have regex as arg to $ne.
          {a: undefined}           | 2 | cannot compare to undefined
          {a: {$gt: undefined}}    | 2 | cannot compare to undefined
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }

  @Test
  void dbRefsAreValues() {
    MatchCases.assertMatch(
        "{a: {$ref: \"c\", $id: 1, $db: \"d\"}}", "{a: {$ref: \"c\", $id: 1, $db: \"d\"}}", true);
    MatchCases.assertMatch("{\"a.$id\": 1}", "{a: {$ref: \"c\", $id: 1}}", true);
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
