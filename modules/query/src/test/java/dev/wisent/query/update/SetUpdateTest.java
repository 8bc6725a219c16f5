package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $set}: values, paths and what stands in their way. */
class SetUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$set: {a: 2}} | {_id: 1, a: 2}
          {_id: 1, a: 1, z: 1} | {$set: {a: 'text'}} | {_id: 1, a: 'text', z: 1}
          {_id: 1} | {$set: {a: 1}} | {_id: 1, a: 1}
          {_id: 1, a: null} | {$set: {a: 1}} | {_id: 1, a: 1}
          {_id: 1, a: 1} | {$set: {a: null}} | {_id: 1, a: null}
          {_id: 1, a: 1} | {$set: {a: 1}} | unchanged
          {_id: 1, a: 1} | {$set: {a: 1.0}} | {_id: 1, a: 1.0}
          {_id: 1, a: 1} | {$set: {a: NumberLong(1)}} | {_id: 1, a: NumberLong(1)}
          {_id: 1, a: 0.0} | {$set: {a: -0.0}} | {_id: 1, a: -0.0}
          {_id: 1, a: 1} | {$set: {}} | unchanged
          {_id: 1, a: 1} | {$set: {_id: 1}} | unchanged
          # new fields come in the order of their names, numbers by value
          {_id: 1} | {$set: {c: 1, b: 1, a: 1}} | {_id: 1, a: 1, b: 1, c: 1}
          {_id: 1} | {$set: {'10': 1, '9': 1, '1': 1}} | {_id: 1, '1': 1, '9': 1, '10': 1}
          {_id: 1} | {$set: {'x.10': 1, 'x.9': 1, 'x.b': 1}} | {_id: 1, x: {'9': 1, '10': 1, b: 1}}
          {_id: 1} | {$set: {b: 1}, $inc: {a: 1}} | {_id: 1, a: 1, b: 1}
          # paths
          {_id: 1} | {$set: {'a.b.c': 1}} | {_id: 1, a: {b: {c: 1}}}
          {_id: 1, a: {}} | {$set: {'a.b.c': 1}} | {_id: 1, a: {b: {c: 1}}}
          {_id: 1, a: {b: 1, c: 2}, d: 3} | {$set: {'a.b': {x: [1]}}} | {_id: 1, a: {b: {x: [1]}, c: 2}, d: 3}
          {_id: 1, a: {b: 1}} | {$set: {'a.b': 2, 'a.c': 3, d: 4}} | {_id: 1, a: {b: 2, c: 3}, d: 4}
          {_id: 1} | {$set: {'a.y': 2, 'a.x': 1}} | {_id: 1, a: {x: 1, y: 2}}
          {_id: 1, a: {b: {c: 1}}} | {$set: {'a.b.c': 1}} | unchanged
          # arrays
          {_id: 1, a: [1, 2, 3]} | {$set: {'a.1': 9}} | {_id: 1, a: [1, 9, 3]}
          {_id: 1, a: [1]} | {$set: {'a.1': 9}} | {_id: 1, a: [1, 9]}
          {_id: 1, a: [1]} | {$set: {'a.4': 9}} | {_id: 1, a: [1, null, null, null, 9]}
          {_id: 1, a: []} | {$set: {'a.0': 9}} | {_id: 1, a: [9]}
          {_id: 1, a: []} | {$set: {'a.11': 9}} | {_id: 1, a: [null, null, null, null, null, null, null, null, null, null, null, 9]}
          {_id: 1, a: []} | {$set: {'a.2': 2, 'a.0': 0}} | {_id: 1, a: [0, null, 2]}
          {_id: 1, a: []} | {$set: {'a.3': 3, 'a.01': 1}} | {_id: 1, a: [null, 1, null, 3]}
          {_id: 1, a: []} | {$set: {'a.05': 5, 'a.2': 2}} | {_id: 1, a: [null, null, 2, null, null, 5]}
          {_id: 1, a: [{b: 1}, {b: 2}]} | {$set: {'a.1.b': 9}} | {_id: 1, a: [{b: 1}, {b: 9}]}
          {_id: 1, a: [{b: 1}]} | {$set: {'a.1.b.c': 9}} | {_id: 1, a: [{b: 1}, {b: {c: 9}}]}
          {_id: 1, a: [{b: 1}]} | {$set: {'a.2.b': 9}} | {_id: 1, a: [{b: 1}, null, {b: 9}]}
          {_id: 1, a: [[1], [2]]} | {$set: {'a.1.1': 9}} | {_id: 1, a: [[1], [2, 9]]}
          {_id: 1, a: {'0': 'x'}} | {$set: {'a.0': 'y'}} | {_id: 1, a: {'0': 'y'}}
          # dollar signs below the top level
          {_id: 1, a: 1} | {$set: {a: {$x: 1}}} | {_id: 1, a: {$x: 1}}
          {_id: 1, a: {}} | {$set: {'a.$x': 1}} | {_id: 1, a: {$x: 1}}
          {_id: 1, $old: 1} | {$set: {a: 1}} | {_id: 1, $old: 1, a: 1}
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
          {_id: 1, a: 1} | {$set: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          {_id: 1, a: null} | {$set: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: null}
          {_id: 1, a: 'x'} | {$set: {'a.b.c': 1}} | 28 | Cannot create field 'b' in element {a: "x"}
          {_id: 1, a: {b: 2.5}} | {$set: {'a.b.c': 1}} | 28 | Cannot create field 'c' in element {b: 2.5}
          {_id: 1, a: [1, {x: 1}]} | {$set: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: [ 1, { x: 1 } ]}
          {_id: 1, a: [0]} | {$set: {'a.0.b': 1}} | 28 | Cannot create field 'b' in element {0: 0}
          {_id: 1, a: []} | {$set: {'a.99999999999': 1}} | 28 | Cannot create field '99999999999' in element {a: []}
          {_id: 1, a: [1]} | {$set: {'a.1500002': 1}} | 34 | can't backfill more than 1500000 elements
          {_id: 1, a: [1]} | {$set: {'a.4294967295': 1}} | 34 | can't backfill more than 1500000 elements
          {_id: 1} | {$set: {_id: 2}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: 1} | {$set: {_id: 1.0}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: {a: 1}} | {$set: {'_id.a': 2}} | 66 | Performing an update on the path '_id.a' would modify the immutable field '_id'
          {_id: {a: 1}} | {$set: {'_id.b': 2}} | 66 | Updating the path '_id' to _id: { a: 1, b: 2 } would modify the immutable field '_id'
          {_id: 1} | {$set: {$a: 1}} | 52 | The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
          {_id: 1} | {$set: {$id: 1}} | 55 | Found $id field without a $ref before it, which is invalid.
          {_id: 1, a: 1} | {$set: {a: 1}, $inc: {a: 1}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1, a: 1} | {$set: {a: 1, 'a.b': 2}} | 40 | Updating the path 'a.b' would create a conflict at 'a'
          {_id: 1, a: 1} | {$set: {'a.b': 2, a: 1}} | 40 | Updating the path 'a' would create a conflict at 'a'
          {_id: 1, a: 1} | {$set: {'': 1}} | 56 | An empty update path is not valid.
          {_id: 1, a: 1} | {$set: {'a.': 1}} | 56 | The update path 'a.' contains an empty field name, which is not allowed.
          {_id: 1, a: 1} | {$set: {'a..b': 1}} | 56 | The update path 'a..b' contains an empty field name, which is not allowed.
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
