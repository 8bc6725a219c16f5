package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $pop}: the first or the last element. */
class PopUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1, 2, 3]} | {$pop: {a: 1}} | {_id: 1, a: [1, 2]}
          {_id: 1, a: [1, 2, 3]} | {$pop: {a: -1}} | {_id: 1, a: [2, 3]}
          {_id: 1, a: [1]} | {$pop: {a: 1}} | {_id: 1, a: []}
          {_id: 1, a: []} | {$pop: {a: 1}} | unchanged
          {_id: 1, a: [1, 2]} | {$pop: {a: -1.0}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2]} | {$pop: {a: NumberDecimal('1')}} | {_id: 1, a: [1]}
          {_id: 1} | {$pop: {a: 1}} | unchanged
          {_id: 1, a: {}} | {$pop: {'a.b.c': 1}} | unchanged
          {_id: 1, a: [[1, 2]]} | {$pop: {'a.0': -1}} | {_id: 1, a: [[2]]}
          {_id: 1, a: [[1, 2]]} | {$pop: {'a.5': -1}} | unchanged
          """)
  void changes(String document, String update, String expected) {
    UpdateCases.assertResult(document, update, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$pop: {a: 1}} | 14 | Path 'a' contains an element of non-array type 'int'
          {_id: 1, a: {b: null}} | {$pop: {'a.b': 1}} | 14 | Path 'a.b' contains an element of non-array type 'null'
          {_id: 1, a: [1]} | {$pop: {a: 0}} | 9 | $pop expects 1 or -1, found: 0
          {_id: 1, a: [1]} | {$pop: {a: 5}} | 9 | $pop expects 1 or -1, found: 5
          {_id: 1, a: [1]} | {$pop: {a: true}} | 9 | Expected a number in: a: true
          {_id: 1, a: [1]} | {$pop: {a: 'x'}} | 9 | Expected a number in: a: "x"
          {_id: 1, a: [1]} | {$pop: {a: 1.5}} | 9 | Expected an integer: a: 1.5
          {_id: 1, a: [1]} | {$pop: {a: {$numberDouble: 'NaN'}}} | 9 | Expected an integer, but found NaN in: a: nan.0
          {_id: 1, a: [1]} | {$pop: {a: 1e30}} | 9 | Cannot represent as a 64-bit integer: a: 1e+30.0
          {_id: 1, a: [1]} | {$pop: {a: NumberDecimal('1.5')}} | 9 | Cannot represent as a 64-bit integer: a: 1.5
          {_id: 1, a: 1} | {$pop: {'a.b': 1}} | 28 | Cannot use the part (b) of (a.b) to traverse the element ({a: 1})
          {_id: 1, a: [1]} | {$pop: {'a.b.c': 1}} | 28 | Cannot use the part (b) of (a.b.c) to traverse the element ({a: [ 1 ]})
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
