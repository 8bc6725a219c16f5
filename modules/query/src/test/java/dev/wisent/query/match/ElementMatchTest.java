package dev.wisent.query.match;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** $exists and $type. */
class ElementMatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$exists: true}}        | {a: 1}               | true
          {a: {$exists: true}}        | {a: null}            | true
          {a: {$exists: true}}        | {a: undefined}       | true
          {a: {$exists: true}}        | {a: []}              | true
          {a: {$exists: true}}        | {b: 1}               | false
          {a: {$exists: false}}       | {b: 1}               | true
          {a: {$exists: false}}       | {a: null}            | false
          {a: {$exists: 1}}           | {a: 1}               | true
          {a: {$exists: 0}}           | {a: 1}               | false
          {a: {$exists: null}}        | {a: 1}               | false
          {a: {$exists: "false"}}     | {a: 1}               | true
          {"a.b": {$exists: true}}    | {a: {b: 1}}          | true
          {"a.b": {$exists: true}}    | {a: [{c: 1}, {b: 1}]} | true
          {"a.b": {$exists: true}}    | {a: [1]}             | false
          {"a.b": {$exists: false}}   | {a: [{c: 1}, {b: 1}]} | false
          {"a.0": {$exists: true}}    | {a: [1]}             | true
          {"a.1": {$exists: true}}    | {a: [1]}             | false
          """)
  void exists(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$type: 1}}                   | {a: 1.5}                      | true
          {a: {$type: "double"}}            | {a: 1}                        | false
          {a: {$type: "string"}}            | {a: "x"}                      | true
          {a: {$type: "object"}}            | {a: {}}                       | true
          {a: {$type: "array"}}             | {a: [1]}                      | true
          {a: {$type: 4}}                   | {a: []}                       | true
          {a: {$type: "array"}}             | {a: 1}                        | false
          {a: {$type: "int"}}               | {a: ["x", 1]}                 | true
          {a: {$type: "binData"}}           | {a: BinData(0, "AA==")}       | true
          {a: {$type: "undefined"}}         | {a: undefined}                | true
          {a: {$type: 6}}                   | {}                            | false
          {a: {$type: "objectId"}}          | {a: ObjectId("000000000000000000000000")} | true
          {a: {$type: "bool"}}              | {a: false}                    | true
          {a: {$type: "date"}}              | {a: {$date: 0}}               | true
          {a: {$type: "null"}}              | {a: null}                     | true
          {a: {$type: "null"}}              | {}                            | false
          {a: {$type: 10}}                  | {}                            | false
          {a: {$type: "regex"}}             | {a: /x/}                      | true
          {a: {$type: "javascript"}}        | {a: {$code: "x"}}             | true
          {a: {$type: "javascriptWithScope"}} | {a: {$code: "x", $scope: {}}} | true
          {a: {$type: "symbol"}}            | {a: {$symbol: "x"}}           | true
          {a: {$type: "int"}}               | {a: 1}                        | true
          {a: {$type: "timestamp"}}         | {a: Timestamp(1, 1)}          | true
          {a: {$type: "long"}}              | {a: NumberLong(1)}            | true
          {a: {$type: 19}}                  | {a: NumberDecimal("1")}       | true
          {a: {$type: "decimal"}}           | {a: NumberDecimal("1")}       | true
          {a: {$type: -1}}                  | {a: {$minKey: 1}}             | true
          {a: {$type: "minKey"}}            | {a: {$maxKey: 1}}             | false
          {a: {$type: 127}}                 | {a: {$maxKey: 1}}             | true
          {a: {$type: "maxKey"}}            | {a: {$minKey: 1}}             | false
          {a: {$type: "number"}}            | {a: 1}                        | true
          {a: {$type: "number"}}            | {a: NumberLong(1)}            | true
          {a: {$type: "number"}}            | {a: 1.5}                      | true
          {a: {$type: "number"}}            | {a: NumberDecimal("1")}       | true
          {a: {$type: "number"}}            | {a: "1"}                      | false
          {a: {$type: ["string", 8]}}       | {a: true}                     | true
          {a: {$type: ["string", "number"]}} | {a: 3}                       | true
          {a: {$type: ["string", "number"]}} | {a: null}                    | false
          {a: {$type: 2.0}}                 | {a: "x"}                      | true
          {"a.b": {$type: "int"}}           | {a: [{b: "x"}, {b: 1}]}       | true
          """)
  void type(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: {$type: "foo"}}     | 2  | Unknown type name alias: foo
          {a: {$type: 20}}        | 2  | Invalid numerical type code: 20
          {a: {$type: 255}}       | 2  | Invalid numerical type code: 255
          {a: {$type: 1.5}}       | 2  | Invalid numerical type code: 1.5
          {a: {$type: 0}}         | 2  | Invalid numerical type code: 0. Instead use {$exists:false}.
          {a: {$type: null}}      | 14 | type must be represented as a number or a string
          {a: {$type: [[1]]}}     | 14 | type must be represented as a number or a string
          {a: {$type: []}}        | 9  | a must match at least one type
          {a: {$type: "missing"}} | 2  | 'missing' is not a legal type name. To query for non-existence of a field, use {$exists:false}.
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }
}
