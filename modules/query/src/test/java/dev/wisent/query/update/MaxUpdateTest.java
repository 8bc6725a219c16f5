package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $max}: the larger value in the order across types. */
class MaxUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 5} | {$max: {a: 7}} | {_id: 1, a: 7}
          {_id: 1, a: 5} | {$max: {a: 3}} | unchanged
          {_id: 1, a: 5} | {$max: {a: NumberLong(5)}} | unchanged
          {_id: 1} | {$max: {a: 7}} | {_id: 1, a: 7}
          {_id: 1, a: null} | {$max: {a: 7}} | {_id: 1, a: 7}
          {_id: 1, a: 5} | {$max: {a: null}} | unchanged
          {_id: 1, a: 5} | {$max: {a: 'x'}} | {_id: 1, a: 'x'}
          {_id: 1, a: [5, 6]} | {$max: {'a.0': 9}} | {_id: 1, a: [9, 6]}
          {_id: 1, a: {b: 1}} | {$max: {a: {b: 2}}} | {_id: 1, a: {b: 2}}
          {_id: 1} | {$max: {_id: 0}} | unchanged
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
          {_id: 1, a: 1} | {$max: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          {_id: 1} | {$max: {_id: 2}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
