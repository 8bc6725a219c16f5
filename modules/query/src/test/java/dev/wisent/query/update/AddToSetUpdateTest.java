package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $addToSet}: values that are not there yet. */
class AddToSetUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1]} | {$addToSet: {a: 2}} | {_id: 1, a: [1, 2]}
          {_id: 1, a: [1]} | {$addToSet: {a: 1}} | unchanged
          {_id: 1, a: [1]} | {$addToSet: {a: 1.0}} | unchanged
          {_id: 1} | {$addToSet: {a: 2}} | {_id: 1, a: [2]}
          {_id: 1, a: [1]} | {$addToSet: {a: null}} | {_id: 1, a: [1, null]}
          {_id: 1, a: [1]} | {$addToSet: {a: [1]}} | {_id: 1, a: [1, [1]]}
          {_id: 1, a: [{x: 1, y: 2}]} | {$addToSet: {a: {y: 2, x: 1}}} | {_id: 1, a: [{x: 1, y: 2}, {y: 2, x: 1}]}
          {_id: 1, a: [{x: 1}]} | {$addToSet: {a: {x: NumberLong(1)}}} | unchanged
          {_id: 1, a: [1]} | {$addToSet: {a: {$each: [1, 2, 2, 3]}}} | {_id: 1, a: [1, 2, 3]}
          {_id: 1, a: [1]} | {$addToSet: {a: {$each: []}}} | unchanged
          {_id: 1} | {$addToSet: {a: {$each: []}}} | {_id: 1, a: []}
          {_id: 1} | {$addToSet: {a: {$each: [1, 1.0]}}} | {_id: 1, a: [1]}
          {_id: 1, a: []} | {$addToSet: {a: {x: 1, $each: [1]}}} | {_id: 1, a: [{x: 1, $each: [1]}]}
          {_id: 1, a: [[1]]} | {$addToSet: {'a.0': 2}} | {_id: 1, a: [[1, 2]]}
          {_id: 1, a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]} | {$addToSet: {a: {$each: [17, 3, 18]}}} | {_id: 1, a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]}
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
          {_id: 1, a: 1} | {$addToSet: {a: 2}} | 2 | Cannot apply $addToSet to non-array field. Field named 'a' has non-array type int
          {_id: 1, a: {b: null}} | {$addToSet: {'a.b': 2}} | 2 | Cannot apply $addToSet to non-array field. Field named 'b' has non-array type null
          {_id: 1, a: []} | {$addToSet: {a: {$each: 1}}} | 14 | The argument to $each in $addToSet must be an array but it was of type int
          {_id: 1, a: []} | {$addToSet: {a: {$each: [], bad: 1}}} | 2 | Found unexpected fields after $each in $addToSet: { $each: [], bad: 1 }
          {_id: 1, a: 1} | {$addToSet: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
