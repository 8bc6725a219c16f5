package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $min}: the smaller value in the order across types. */
class MinUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 5} | {$min: {a: 3}} | {_id: 1, a: 3}
          {_id: 1, a: 5} | {$min: {a: 7}} | unchanged
          {_id: 1, a: 5} | {$min: {a: 5.0}} | unchanged
          {_id: 1} | {$min: {a: 7}} | {_id: 1, a: 7}
          {_id: 1, a: null} | {$min: {a: 7}} | unchanged
          {_id: 1, a: 5} | {$min: {a: null}} | {_id: 1, a: null}
          {_id: 1, a: 'x'} | {$min: {a: 7}} | {_id: 1, a: 7}
          {_id: 1, a: [5, 6]} | {$min: {'a.1': 3}} | {_id: 1, a: [5, 3]}
          {_id: 1, a: [5, 6]} | {$min: {a: 3}} | {_id: 1, a: 3}
          {_id: 1, a: {b: {c: 4}}} | {$min: {'a.b.c': 3, 'a.b.d': 1}} | {_id: 1, a: {b: {c: 3, d: 1}}}
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
          {_id: 1, a: 1} | {$min: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          {_id: 1} | {$min: {_id: 0}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: 1} | {$min: 3} | 9 | Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$min: 3}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
