package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates without operators: a new document under the old {@code _id}. */
class ReplacementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1, b: 2} | {c: 3} | {_id: 1, c: 3}
          {_id: 1, a: 1} | {} | {_id: 1}
          {_id: 1, a: 1} | {_id: 1, b: 2} | {_id: 1, b: 2}
          {_id: 1, a: 1} | {b: 2, _id: 1, c: 3} | {_id: 1, b: 2, c: 3}
          {a: 1, _id: 1} | {b: 2} | {_id: 1, b: 2}
          {_id: 1, a: 1} | {a: 1} | {_id: 1, a: 1}
          {_id: 1, a: 1} | {a: 1, _id: 1} | {_id: 1, a: 1}
          {_id: 1, a: 1} | {_id: 1, a: 1} | unchanged
          {_id: 1, a: 1} | {a: 1.0} | {_id: 1, a: 1.0}
          {_id: 1, a: 1} | {_id: 1.0, a: 1} | {_id: 1.0, a: 1}
          {_id: {x: 1}, a: 1} | {_id: {x: 1}, a: null} | {_id: {x: 1}, a: null}
          {_id: 1} | {a: {$x: 1}, 'b.c': 2} | {_id: 1, a: {$x: 1}, 'b.c': 2}
          {_id: 1} | {a: [{'$x.y': 1}]} | {_id: 1, a: [{'$x.y': 1}]}
          {_id: 1} | {a: Timestamp(0, 0), b: Timestamp(1, 1)} | {_id: 1, a: Timestamp(7, 1), b: Timestamp(1, 1)}
          {_id: 1} | {a: {b: Timestamp(0, 0)}, c: [Timestamp(0, 0)]} | {_id: 1, a: {b: Timestamp(0, 0)}, c: [Timestamp(0, 0)]}
          {_id: Timestamp(0, 0)} | {_id: Timestamp(0, 0), a: 1} | {_id: Timestamp(0, 0), a: 1}
          {_id: 1} | {a: 1, $ref: 'c', $id: 1, $db: 'd'} | {_id: 1, a: 1, $ref: 'c', $id: 1, $db: 'd'}
          {a: 1} | {b: 1} | {b: 1}
          """)
  void replaces(String document, String update, String expected) {
    UpdateCases.assertResult(document, update, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {_id: 2} | 66 | After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2
          {_id: 1, a: 1} | {a: 1, _id: 'x'} | 66 | After applying the update, the (immutable) field '_id' was found to have been altered to _id: "x"
          {_id: 1, a: 1} | {_id: [1]} | 53 | The '_id' value cannot be of type array
          {_id: 1, a: 1} | {_id: /x/} | 53 | The '_id' value cannot be of type regex
          {_id: 1, a: 1} | {_id: {$x: 1}} | 52 | The dollar ($) prefixed field '$x' in '_id.$x' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
          {_id: 1, a: 1} | {a: 1, $set: {b: 1}} | 52 | The dollar ($) prefixed field '$set' in '$set' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
          {_id: 1, a: 1} | {a: 1, $ref: 'x'} | 55 | The DBRef $ref field must be followed by a $id field
          {_id: 1, a: 1} | {a: 1, $ref: 'x', b: 1} | 55 | The DBRef $ref field must be followed by a $id field
          {_id: 1, a: 1} | {a: 1, $ref: 1, $id: 1} | 55 | The DBRef $ref field must be a String, not a int
          {_id: 1, a: 1} | {a: 1, $id: 1} | 55 | Found $id field without a $ref before it, which is invalid.
          {_id: 1, a: 1} | {a: 1, $db: 'x'} | 55 | Found $db field without a $id before it, which is invalid.
          {_id: 1, a: 1} | {a: 1, $ref: 'c', $id: 1, $db: 1} | 55 | The DBRef $db field must be a String, not a int
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }

  @Test
  void nestingIsLimited() {
    String deep = "{a: ".repeat(180) + "1" + "}".repeat(180);
    assertThat(apply(deep).modified()).isTrue();
    UpdateCases.assertError(
        "{_id: 1}", "{a: " + deep + "}", 15, "Document exceeds maximum nesting depth of 180");
  }

  private static UpdateOutcome apply(String replacement) {
    return UpdateCases.parse(replacement).apply(RawDocument.parse("{_id: 1}"), null, false);
  }

  @Test
  void everythingIsTouched() {
    assertThat(apply("{a: 1}").touched().mayAffect("anything")).isTrue();
  }
}
