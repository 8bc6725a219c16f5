package dev.wisent.query.match;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** $mod and the $bits operators. */
class EvaluationMatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$mod: [4, 1]}}          | {a: 5}                      | true
          {a: {$mod: [4, 1]}}          | {a: 6}                      | false
          {a: {$mod: [4, 0]}}          | {a: NumberLong(8)}          | true
          {a: {$mod: [4, 1]}}          | {a: 5.9}                    | true
          {a: {$mod: [4, 1]}}          | {a: NumberDecimal("5.9")}   | true
          {a: {$mod: [4.9, 1.9]}}      | {a: 5}                      | true
          {a: {$mod: [4, -1]}}         | {a: -5}                     | true
          {a: {$mod: [4, 1]}}          | {a: -5}                     | false
          {a: {$mod: [-4, 1]}}         | {a: 5}                      | true
          {a: {$mod: [4, 1]}}          | {a: "5"}                    | false
          {a: {$mod: [4, 0]}}          | {}                          | false
          {a: {$mod: [4, 0]}}          | {a: null}                   | false
          {a: {$mod: [4, 0]}}          | {a: NaN}                    | false
          {a: {$mod: [4, 0]}}          | {a: Infinity}               | false
          {a: {$mod: [4, 0]}}          | {a: 1e300}                  | false
          {a: {$mod: [4, 0]}}          | {a: NumberDecimal("NaN")}   | false
          {a: {$mod: [4, 0]}}          | {a: NumberDecimal("1E30")}  | false
          {a: {$mod: [4, 0]}}          | {a: NumberDecimal("-0")}    | true
          {a: {$mod: [4, 1]}}          | {a: [2, 5]}                 | true
          {a: {$mod: [-1, 0]}}         | {a: NumberLong("-9223372036854775808")} | true
          {"a.b": {$mod: [2, 1]}}      | {a: [{b: 2}, {b: 3}]}       | true
          """)
  void mod(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$mod: 1}}                 | malformed mod, needs to be an array
          {a: {$mod: []}}                | malformed mod, not enough elements
          {a: {$mod: [1]}}               | malformed mod, not enough elements
          {a: {$mod: [1, 2, 3]}}         | malformed mod, too many elements
          {a: {$mod: ["x", 1]}}          | malformed mod, divisor not a number
          {a: {$mod: [1, null]}}         | malformed mod, remainder not a number
          {a: {$mod: [0, 1]}}            | divisor cannot be 0
          {a: {$mod: [0.5, 1]}}          | divisor cannot be 0
          {a: {$mod: [NaN, 1]}}          | malformed mod, divisor value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type
          {a: {$mod: [1, Infinity]}}     | malformed mod, remainder value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type
          {a: {$mod: [1e30, 1]}}         | malformed mod, divisor value is invalid :: caused by :: Out of bounds coercing to integral value
          {a: {$mod: [NumberDecimal("1E300"), 1]}} | malformed mod, divisor value is invalid :: caused by :: Out of bounds coercing to integral value
          """)
  void modRefusals(String filter, String message) {
    MatchCases.assertRefused(filter, 2, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$bitsAllSet: [1, 2]}}    | {a: 6}                     | true
          {a: {$bitsAllSet: [0, 1]}}    | {a: 6}                     | false
          {a: {$bitsAllSet: 6}}         | {a: NumberLong(7)}         | true
          {a: {$bitsAllSet: 6}}         | {a: 7.0}                   | true
          {a: {$bitsAllSet: 6}}         | {a: 7.5}                   | false
          {a: {$bitsAllSet: 6}}         | {a: NumberDecimal("7")}    | true
          {a: {$bitsAllSet: 6}}         | {a: NumberDecimal("7.5")}  | false
          {a: {$bitsAllSet: 6}}         | {a: NaN}                   | false
          {a: {$bitsAllSet: 0}}         | {a: 5}                     | true
          {a: {$bitsAllSet: []}}        | {a: 5}                     | true
          {a: {$bitsAllSet: [100]}}     | {a: -1}                    | true
          {a: {$bitsAllSet: [100]}}     | {a: 1}                     | false
          {a: {$bitsAllSet: BinData(0, "Bg==")}} | {a: 6}            | true
          {a: {$bitsAllSet: 6}}         | {a: BinData(0, "Bg==")}    | true
          {a: {$bitsAllSet: [9]}}       | {a: BinData(0, "AAI=")}    | true
          {a: {$bitsAllSet: [100]}}     | {a: BinData(0, "/w==")}    | false
          {a: {$bitsAllClear: [0, 3]}}  | {a: 6}                     | true
          {a: {$bitsAllClear: [0, 1]}}  | {a: 6}                     | false
          {a: {$bitsAllClear: [100]}}   | {a: BinData(0, "/w==")}    | true
          {a: {$bitsAnySet: [0, 1]}}    | {a: 6}                     | true
          {a: {$bitsAnySet: [0, 3]}}    | {a: 6}                     | false
          {a: {$bitsAnySet: 0}}         | {a: 6}                     | false
          {a: {$bitsAnySet: [0, 9]}}    | {a: BinData(0, "AAI=")}    | true
          {a: {$bitsAnyClear: [1, 0]}}  | {a: 6}                     | true
          {a: {$bitsAnyClear: 6}}       | {a: 6}                     | false
          {a: {$bitsAnyClear: [1]}}     | {}                         | false
          {a: {$bitsAnyClear: [1]}}     | {a: null}                  | false
          {a: {$bitsAnyClear: [1]}}     | {a: "x"}                   | false
          {a: {$bitsAnySet: 1}}         | {a: [2, 3]}                | true
          """)
  void bits(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$bitsAllSet: "x"}}      | 2 | a takes an Array, a number, or a BinData but received: $bitsAllSet: "x"
          {a: {$bitsAnyClear: null}}   | 2 | a takes an Array, a number, or a BinData but received: $bitsAnyClear: null
          {a: {$bitsAllSet: -1}}       | 9 | Expected a non-negative number in: $bitsAllSet: -1
          {a: {$bitsAllClear: 1.5}}    | 9 | Expected an integer: $bitsAllClear: 1.5
          {a: {$bitsAnySet: [-1]}}     | 2 | Failed to parse bit position. Expected a non-negative number in: 0: -1
          {a: {$bitsAnySet: ["x"]}}    | 2 | Failed to parse bit position. Expected a number in: 0: "x"
          """)
  void bitsRefusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }
}
