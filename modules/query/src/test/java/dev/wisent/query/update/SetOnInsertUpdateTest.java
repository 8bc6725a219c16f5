package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $setOnInsert}: for upserts that insert, and for nothing else. */
class SetOnInsertUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$setOnInsert: {a: 2}} | unchanged
          {_id: 1} | {$setOnInsert: {a: 2}} | unchanged
          {_id: 1} | {$setOnInsert: {_id: 2}} | unchanged
          {_id: 1, a: 1} | {$setOnInsert: {'a.b': 2}} | unchanged
          {_id: 1, a: null} | {$setOnInsert: {b: 2}, $set: {a: 1}} | {_id: 1, a: 1}
          """)
  void leavesExistingDocumentsAlone(String document, String update, String expected) {
    UpdateCases.assertResult(document, update, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1} | {$setOnInsert: {a: 2}} | {_id: 1, a: 2}
          {_id: 1} | {$setOnInsert: {'a.b': [1]}} | {_id: 1, a: {b: [1]}}
          {_id: 1, a: 1} | {$setOnInsert: {a: 2}} | {_id: 1, a: 2}
          {a: 1} | {$setOnInsert: {_id: 9, b: null}} | {_id: 9, a: 1, b: null}
          {_id: 1} | {$setOnInsert: {b: 1}, $inc: {a: 1}} | {_id: 1, a: 1, b: 1}
          """)
  void appliesToInserts(String filter, String update, String expected) {
    assertThat(UpdateCases.upsert(filter, update)).isEqualTo(RawDocument.parse(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1]} | {$setOnInsert: {'a.$[].b': 2}, $set: {'a.$[]': 1}} | 40 | Updating the path 'a.$[]' would create a conflict at 'a.$[]'
          {_id: 1} | {$setOnInsert: {a: 1}, $set: {a: 1}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1} | {$setOnInsert: 1} | 9 | Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$setOnInsert: 1}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
