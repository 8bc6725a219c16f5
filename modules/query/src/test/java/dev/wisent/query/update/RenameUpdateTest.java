package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $rename}: moves a value, but not through arrays. */
class RenameUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$rename: {a: 'b'}} | {_id: 1, b: 1}
          {_id: 1, a: 1, b: 2} | {$rename: {a: 'b'}} | {_id: 1, b: 1}
          {_id: 1, b: 2, a: 1, c: 3} | {$rename: {a: 'b'}} | {_id: 1, b: 1, c: 3}
          {_id: 1, b: 1} | {$rename: {a: 'c'}} | unchanged
          {_id: 1, a: null} | {$rename: {a: 'b'}} | {_id: 1, b: null}
          {_id: 1, a: {b: 1, c: 2}} | {$rename: {'a.b': 'x.y'}} | {_id: 1, a: {c: 2}, x: {y: 1}}
          {_id: 1, a: {b: 1}} | {$rename: {'a.b': 'a.c'}} | {_id: 1, a: {c: 1}}
          {_id: 1, a: {b: 1}} | {$rename: {'a.b': 'b'}} | {_id: 1, a: {}, b: 1}
          {_id: 1, a: {b: 1}} | {$rename: {'a.x': 'b'}} | unchanged
          {_id: 1, a: {b: 1}} | {$rename: {'x.y': 'b'}} | unchanged
          {_id: 1, a: [1, 2]} | {$rename: {a: 'b'}} | {_id: 1, b: [1, 2]}
          {_id: 1, a: 1, b: [1]} | {$rename: {a: 'b'}} | {_id: 1, b: 1}
          {_id: 1, a: [{b: 1}]} | {$rename: {'a.9.b': 'c'}} | unchanged
          {_id: 1, a: 1, b: 2} | {$rename: {a: 'c', b: 'd'}} | {_id: 1, c: 1, d: 2}
          {_id: 1, a: 1, b: 2} | {$rename: {a: 'c'}, $inc: {b: 1}} | {_id: 1, b: 3, c: 1}
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
          {_id: 1, a: 1} | {$rename: {a: 5}} | 2 | The 'to' field for $rename must be a string: a: 5
          {_id: 1, a: 1} | {$rename: {a: 'a'}} | 2 | The source and target field for $rename must differ: a: "a"
          {_id: 1, a: 1} | {$rename: {a: 'a.b'}} | 2 | The source and target field for $rename must not be on the same path: a: "a.b"
          {_id: 1, a: 1} | {$rename: {'a.b': 'a'}} | 2 | The source and target field for $rename must not be on the same path: a.b: "a"
          {_id: 1, a: 1} | {$rename: {'a.$': 'b'}} | 2 | The source field for $rename may not be dynamic: a.$
          {_id: 1, a: 1} | {$rename: {'b': 'a.$'}} | 2 | The destination field for $rename may not be dynamic: a.$
          {_id: 1, a: 1} | {$rename: {'b': 'a.$[]'}} | 2 | The destination field for $rename may not be dynamic: a.$[]
          {_id: 1, a: 1} | {$rename: {a: ''}} | 56 | An empty update path is not valid.
          {_id: 1, a: 1} | {$rename: {a: 'b', c: 'b'}} | 40 | Updating the path 'b' would create a conflict at 'b'
          {_id: 1, a: 1} | {$rename: {a: 'b'}, $set: {a: 1}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1, a: 1} | {$rename: {a: 'b'}, $set: {'b.c': 1}} | 40 | Updating the path 'b.c' would create a conflict at 'b'
          {_id: 1, a: 1} | {$rename: {a: '_id'}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: 1, a: 1} | {$rename: {_id: 'b'}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: 1, a: [{b: 1}]} | {$rename: {'a.0.b': 'c'}} | 2 | The source field cannot be an array element, 'a.0.b' in doc with _id: 1 has an array field called 'a'
          {_id: 1, a: 1, x: {b: [1]}} | {$rename: {a: 'x.b.0'}} | 2 | The destination field cannot be an array element, 'x.b.0' in doc with _id: 1 has an array field called 'b'
          {a: 1, b: [1]} | {$rename: {a: 'b.5'}} | 2 | The destination field cannot be an array element, 'b.5' in doc with no id has an array field called 'b'
          {_id: 1, a: [{a: 1}, {b: 2}]} | {$rename: {'a.a': 'b'}} | 28 | cannot use the part (a of a.a) to traverse the element ({a: [ { a: 1 }, { b: 2 } ]})
          {_id: 1, a: {b: 'x'}} | {$rename: {'a.b.c': 'd'}} | 28 | cannot use the part (b of a.b.c) to traverse the element ({b: "x"})
          {_id: 1, a: 1, b: 2} | {$rename: {a: 'b.c'}} | 28 | Cannot create field 'c' in element {b: 2}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
