package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $unset}: never fails on what is not there. */
class UnsetUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1, b: 2} | {$unset: {a: ''}} | {_id: 1, b: 2}
          {_id: 1, a: 1, b: 2, c: 3} | {$unset: {a: 1, c: 1}} | {_id: 1, b: 2}
          {_id: 1, a: null} | {$unset: {a: true}} | {_id: 1}
          {_id: 1, a: 1} | {$unset: {b: ''}} | unchanged
          {_id: 1, a: {b: 1, c: 2}} | {$unset: {'a.b': ''}} | {_id: 1, a: {c: 2}}
          {_id: 1, a: {b: 1}} | {$unset: {'a.b': ''}} | {_id: 1, a: {}}
          {_id: 1, a: {b: 1}} | {$unset: {'a.x.y': ''}} | unchanged
          {_id: 1, a: 5} | {$unset: {'a.b': ''}} | unchanged
          {_id: 1, a: [1, 2, 3]} | {$unset: {'a.1': ''}} | {_id: 1, a: [1, null, 3]}
          {_id: 1, a: [1]} | {$unset: {'a.7': ''}} | unchanged
          {_id: 1, a: [1]} | {$unset: {'a.b': ''}} | unchanged
          {_id: 1, a: [{b: 1}, {b: 2}]} | {$unset: {'a.0.b': ''}} | {_id: 1, a: [{}, {b: 2}]}
          {_id: 1, a: 1} | {$unset: {a: '', b: ''}, $set: {c: 1}} | {_id: 1, c: 1}
          {_id: 1, $old: 1} | {$unset: {$old: ''}} | {_id: 1}
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
          {_id: 1} | {$unset: {_id: ''}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: {a: 1}} | {$unset: {'_id.a': ''}} | 66 | Performing an update on the path '_id.a' would modify the immutable field '_id'
          {_id: 1, a: 1} | {$unset: {a: '', 'a.b': ''}} | 40 | Updating the path 'a.b' would create a conflict at 'a'
          {_id: 1, a: 1} | {$unset: 'a'} | 9 | Modifiers operate on fields but we found type string instead. For example: {$mod: {<field>: ...}} not {$unset: "a"}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
