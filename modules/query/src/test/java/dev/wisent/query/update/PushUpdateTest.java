package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $push} with all its clauses. */
class PushUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1]} | {$push: {a: 2}} | {_id: 1, a: [1, 2]}
          {_id: 1, a: [1], b: 1} | {$push: {a: [2]}} | {_id: 1, a: [1, [2]], b: 1}
          {_id: 1, a: [1]} | {$push: {a: null}} | {_id: 1, a: [1, null]}
          {_id: 1, a: []} | {$push: {a: {x: 1}}} | {_id: 1, a: [{x: 1}]}
          {_id: 1} | {$push: {a: 2}} | {_id: 1, a: [2]}
          {_id: 1} | {$push: {'a.b': 2}} | {_id: 1, a: {b: [2]}}
          {_id: 1, a: [[1], [2]]} | {$push: {'a.1': 3}} | {_id: 1, a: [[1], [2, 3]]}
          {_id: 1, a: [{b: [1]}]} | {$push: {'a.0.b': 3}} | {_id: 1, a: [{b: [1, 3]}]}
          {_id: 1, a: [1, 2, 3, 4, 5, 6, 7, 8, 9]} | {$push: {a: {$each: [10, 11]}}} | {_id: 1, a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}
          {_id: 1, a: [1]} | {$push: {a: {x: 1, $set: 2}}} | {_id: 1, a: [1, {x: 1, $set: 2}]}
          # each
          {_id: 1, a: [1]} | {$push: {a: {$each: [2, 3]}}} | {_id: 1, a: [1, 2, 3]}
          {_id: 1, a: [1]} | {$push: {a: {$each: []}}} | unchanged
          {_id: 1} | {$push: {a: {$each: []}}} | {_id: 1, a: []}
          # position
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [8, 9], $position: 0}}} | {_id: 1, a: [8, 9, 1, 2]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: 1}}} | {_id: 1, a: [1, 9, 2]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: 2}}} | {_id: 1, a: [1, 2, 9]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: 20}}} | {_id: 1, a: [1, 2, 9]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [9], $position: -1}}} | {_id: 1, a: [1, 2, 9, 3]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [8, 9], $position: -2}}} | {_id: 1, a: [1, 8, 9, 2, 3]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [9], $position: -3}}} | {_id: 1, a: [9, 1, 2, 3]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [9], $position: -30}}} | {_id: 1, a: [9, 1, 2, 3]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: NumberLong('9223372036854775807')}}} | {_id: 1, a: [1, 2, 9]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: NumberLong('-9223372036854775808')}}} | {_id: 1, a: [9, 1, 2]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: 1.0}}} | {_id: 1, a: [1, 9, 2]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [9], $position: NumberDecimal('1')}}} | {_id: 1, a: [1, 9, 2]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [], $position: 0}}} | unchanged
          # slice
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [4], $slice: 2}}} | {_id: 1, a: [1, 2]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [4], $slice: -2}}} | {_id: 1, a: [3, 4]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [4], $slice: 0}}} | {_id: 1, a: []}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [], $slice: 2}}} | {_id: 1, a: [1, 2]}
          {_id: 1, a: [1, 2, 3]} | {$push: {a: {$each: [], $slice: 5}}} | unchanged
          {_id: 1} | {$push: {a: {$each: [1, 2, 3], $slice: -2}}} | {_id: 1, a: [2, 3]}
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [3], $slice: NumberLong('-9223372036854775808')}}} | {_id: 1, a: [1, 2, 3]}
          # sort
          {_id: 1, a: [3, 1]} | {$push: {a: {$each: [2], $sort: 1}}} | {_id: 1, a: [1, 2, 3]}
          {_id: 1, a: [3, 1]} | {$push: {a: {$each: [2], $sort: -1}}} | {_id: 1, a: [3, 2, 1]}
          {_id: 1, a: [3, 1]} | {$push: {a: {$each: [], $sort: 1}}} | {_id: 1, a: [1, 3]}
          {_id: 1, a: [1, 'x', null, {a: 1}]} | {$push: {a: {$each: [true], $sort: -1.0}}} | {_id: 1, a: [true, {a: 1}, 'x', 1, null]}
          {_id: 1, a: [{x: 2, y: 1}, {x: 1, y: 1}, {x: 1, y: 2}]} | {$push: {a: {$each: [{x: 2, y: 2}], $sort: {x: 1, y: -1}}}} | {_id: 1, a: [{x: 1, y: 2}, {x: 1, y: 1}, {x: 2, y: 2}, {x: 2, y: 1}]}
          {_id: 1, a: [{x: {y: 2}}, {x: {y: 1}}, 7, {z: 0}]} | {$push: {a: {$each: [], $sort: {'x.y': 1}}}} | {_id: 1, a: [7, {z: 0}, {x: {y: 1}}, {x: {y: 2}}]}
          {_id: 1, a: [5, 9]} | {$push: {a: {$each: [7, 1], $sort: -1, $slice: 3, $position: 0}}} | {_id: 1, a: [9, 7, 5]}
          # the order was right already, and still it counts
          {_id: 1, a: [1, 2]} | {$push: {a: {$each: [], $sort: 1}}} | {_id: 1, a: [1, 2]}
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
          {_id: 1, a: 1} | {$push: {a: 2}} | 2 | The field 'a' must be an array but is of type int in document {_id: 1}
          {_id: 1, a: null} | {$push: {a: 2}} | 2 | The field 'a' must be an array but is of type null in document {_id: 1}
          {_id: 1, a: [{b: 'x'}]} | {$push: {'a.0.b': 2}} | 2 | The field 'a.0.b' must be an array but is of type string in document {_id: 1}
          {a: {}} | {$push: {a: 2}} | 2 | The field 'a' must be an array but is of type object in document {no id}
          {_id: 1, a: [1]} | {$push: {'a.x': 2}} | 28 | Cannot create field 'x' in element {a: [ 1 ]}
          {_id: 1} | {$push: {a: {$each: 1}}} | 2 | The argument to $each in $push must be an array but it was of type: int
          {_id: 1} | {$push: {a: {$each: [], x: 1}}} | 2 | Unrecognized clause in $push: x
          {_id: 1} | {$push: {a: {$each: [], $foo: 1}}} | 2 | Unrecognized clause in $push: $foo
          {_id: 1} | {$push: {a: {$each: [], $slice: 'x'}}} | 2 | The value for $slice must be an integer value but was given type: string
          {_id: 1} | {$push: {a: {$each: [], $slice: 1.5}}} | 2 | The value for $slice must be an integer value but was given type: double
          {_id: 1} | {$push: {a: {$each: [], $slice: null}}} | 2 | The value for $slice must be an integer value but was given type: null
          {_id: 1} | {$push: {a: {$each: [], $position: true}}} | 2 | The value for $position must be an integer value, not of type: bool
          {_id: 1} | {$push: {a: {$each: [], $position: NumberDecimal('0.5')}}} | 2 | The value for $position must be an integer value, not of type: decimal
          {_id: 1} | {$push: {a: {$each: [], $position: NumberDecimal('1E6000')}}} | 2 | The value for $position must be an integer value, not of type: decimal
          {_id: 1} | {$push: {a: {$each: [], $sort: 2}}} | 2 | The $sort element value must be either 1 or -1
          {_id: 1} | {$push: {a: {$each: [], $sort: 'x'}}} | 2 | The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields
          {_id: 1} | {$push: {a: {$each: [], $sort: {}}}} | 2 | The $sort pattern is empty when it should be a set of fields.
          {_id: 1} | {$push: {a: {$each: [], $sort: {x: 0}}}} | 2 | The $sort element value must be either 1 or -1
          {_id: 1} | {$push: {a: {$each: [], $sort: {'': 1}}}} | 2 | The $sort field cannot be empty
          {_id: 1} | {$push: {a: {$each: [], $sort: {'x..y': 1}}}} | 2 | The $sort field is a dotted field but has an empty part: x..y
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
