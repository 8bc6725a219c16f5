package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $pullAll}: all elements that equal one of the values. */
class PullAllUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1, 2, 3, 1]} | {$pullAll: {a: [1, 3]}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2]} | {$pullAll: {a: [2.0]}} | {_id: 1, a: [1]}
          {_id: 1, a: [1, 2]} | {$pullAll: {a: []}} | unchanged
          {_id: 1, a: [1, 2]} | {$pullAll: {a: [5]}} | unchanged
          {_id: 1, a: [null, 2]} | {$pullAll: {a: [null]}} | {_id: 1, a: [2]}
          {_id: 1, a: [{x: 1}, {x: 1, y: 2}]} | {$pullAll: {a: [{x: 1}]}} | {_id: 1, a: [{x: 1, y: 2}]}
          {_id: 1, a: [{$gt: 1}, 5]} | {$pullAll: {a: [{$gt: 1}]}} | {_id: 1, a: [5]}
          {_id: 1, a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 'x']} | {$pullAll: {a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18.0]}} | {_id: 1, a: ['x']}
          {_id: 1} | {$pullAll: {a: [1]}} | unchanged
          {_id: 1, a: [[1, 2]]} | {$pullAll: {'a.0': [1]}} | {_id: 1, a: [[2]]}
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
          {_id: 1, a: 1} | {$pullAll: {a: [1]}} | 2 | Cannot apply $pull to a non-array value
          {_id: 1, a: [1]} | {$pullAll: {a: 1}} | 2 | $pullAll requires an array argument but was given a int
          {_id: 1, a: 1} | {$pullAll: {'a.b': [1]}} | 28 | Cannot use the part (b) of (a.b) to traverse the element ({a: 1})
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
