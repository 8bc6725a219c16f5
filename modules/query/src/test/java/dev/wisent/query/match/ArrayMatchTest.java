package dev.wisent.query.match;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** $all, $elemMatch and $size. */
class ArrayMatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$all: [1, 2]}}                      | {a: [3, 2, 1]}              | true
          {a: {$all: [1, 2]}}                      | {a: [1]}                    | false
          {a: {$all: [1]}}                         | {a: 1}                      | true
          {a: {$all: []}}                          | {a: []}                     | false
          {a: {$all: [null]}}                      | {}                          | true
          {a: {$all: [1]}}                         | {}                          | false
          {a: {$all: [[1, 2]]}}                    | {a: [1, 2]}                 | true
          {a: {$all: [[1, 2]]}}                    | {a: [[1, 2], 3]}            | true
          {a: {$all: [/^x/, "y"]}}                 | {a: ["xa", "y"]}            | true
          {"a.b": {$all: [1, 2]}}                  | {a: [{b: 1}, {b: 2}]}       | true
          {a: {$all: [{$elemMatch: {x: 1}}, {$elemMatch: {y: 2}}]}} | {a: [{x: 1}, {y: 2}]} | true
          {a: {$all: [{$elemMatch: {x: 1}}, {$elemMatch: {y: 2}}]}} | {a: [{x: 1}]} | false
          {a: {$all: [{$foo: 1}]}}                 | {a: {$foo: 1}}              | true
          {a: {$elemMatch: {x: 1, y: 2}}}          | {a: [{x: 1, y: 2}]}         | true
          {a: {$elemMatch: {x: 1, y: 2}}}          | {a: [{x: 1}, {y: 2}]}       | false
          {a: {$elemMatch: {x: 1}}}                | {a: {x: 1}}                 | false
          {a: {$elemMatch: {x: 1}}}                | {}                          | false
          {a: {$elemMatch: {x: 1}}}                | {a: null}                   | false
          {a: {$elemMatch: {x: null}}}             | {a: [{y: 1}]}               | true
          {a: {$elemMatch: {x: null}}}             | {a: [1]}                    | false
          {a: {$elemMatch: {}}}                    | {a: [{}]}                   | true
          {a: {$elemMatch: {}}}                    | {a: [1]}                    | false
          {a: {$elemMatch: {"0": 1}}}              | {a: [[1]]}                  | true
          {a: {$elemMatch: {$or: [{x: 1}, {y: 1}]}}} | {a: [{y: 1}]}             | true
          {a: {$elemMatch: {$gt: 1, $lt: 3}}}      | {a: [0, 9]}                 | false
          {a: {$elemMatch: {$gt: 1, $lt: 3}}}      | {a: [0, 2]}                 | true
          {a: {$elemMatch: {$gt: 1}}}              | {a: 5}                      | false
          {a: {$elemMatch: {$gt: 1}}}              | {a: [[5]]}                  | false
          {a: {$elemMatch: {$eq: null}}}           | {a: [null]}                 | true
          {a: {$elemMatch: {$eq: null}}}           | {a: []}                     | false
          {a: {$elemMatch: {$not: {$gt: 1}}}}      | {a: [5, 0]}                 | true
          {a: {$elemMatch: {$ne: 1}}}              | {a: [1]}                    | false
          {a: {$elemMatch: {$exists: true}}}       | {a: [null]}                 | true
          {a: {$elemMatch: {$in: [1, /x/]}}}       | {a: ["x"]}                  | true
          {a: {$elemMatch: {$elemMatch: {$gt: 4}}}} | {a: [[1], [5]]}            | true
          {a: {$elemMatch: {$size: 2}}}            | {a: [[1], [1, 2]]}          | true
          {a: {$elemMatch: {$all: [1]}}}           | {a: [1]}                    | true
          {a: {$elemMatch: {$regex: "x"}}}         | {a: ["y", "x"]}             | true
          {a: {$elemMatch: {$type: "int"}}}        | {a: ["y", 1]}               | true
          {"a.b": {$elemMatch: {x: 1}}}            | {a: [{b: [{x: 1}]}]}        | true
          {a: {$elemMatch: {$ref: "c", x: 1}}}     | {a: [{$ref: "c", x: 1}]}    | true
          {a: {$size: 2}}                          | {a: [1, 2]}                 | true
          {a: {$size: 2}}                          | {a: [1]}                    | false
          {a: {$size: 2}}                          | {a: [[1, 2]]}               | false
          {a: {$size: 0}}                          | {a: []}                     | true
          {a: {$size: 0}}                          | {}                          | false
          {a: {$size: 0}}                          | {a: null}                   | false
          {a: {$size: 1.0}}                        | {a: [1]}                    | true
          {a: {$size: NumberDecimal("2")}}         | {a: [1, 2]}                 | true
          {a: {$size: 1}}                          | {a: {b: 1}}                 | false
          {"a.b": {$size: 2}}                      | {a: [{b: 1}, {b: [1, 2]}]}  | true
          {"a.0": {$size: 2}}                      | {a: [[1, 2]]}               | true
          """)
  void cases(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$all: 1}}                        | 2 | $all needs an array
          {a: {$all: [{$gt: 1}]}}               | 2 | no $ expressions in $all
          {a: {$all: [{$elemMatch: {x: 1}}, 5]}} | 2 | $all/$elemMatch has to be consistent
          {a: {$all: [{$elemMatch: {x: 1}}, {x: 5}]}} | 2 | $all/$elemMatch has to be consistent
          {a: {$all: [5, {$elemMatch: {x: 1}}]}} | 2 | no $ expressions in $all
          {a: {$elemMatch: 1}}                  | 2 | $elemMatch needs an Object
          {a: {$elemMatch: [1]}}                | 2 | $elemMatch needs an Object
          {a: {$elemMatch: {$foo: 1}}}          | 2 | unknown operator: $foo
          {a: {$elemMatch: {$gt: 1, x: 1}}}     | 2 | unknown operator: x
          {a: {$size: -1}}                      | 2 | Failed to parse $size. Expected a non-negative number in: $size: -1
          {a: {$size: 1.5}}                     | 2 | Failed to parse $size. Expected an integer: $size: 1.5
          {a: {$size: "x"}}                     | 2 | Failed to parse $size. Expected a number in: $size: "x"
          {a: {$size: NaN}}                     | 2 | Failed to parse $size. Expected an integer, but found NaN in: $size: nan.0
          {a: {$size: NumberLong(4294967296)}}  | 2 | Failed to parse $size. Cannot represent $size: 4294967296 in an int
          {a: {$size: NumberDecimal("1.5")}}    | 2 | Failed to parse $size. Cannot represent as a 64-bit integer: $size: 1.5
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }
}
