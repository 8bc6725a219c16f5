package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $pull}: by value, by condition on the element, by filter on embedded documents. */
class PullUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1, 2, 1]} | {$pull: {a: 1}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2, 1.0]} | {$pull: {a: NumberLong(1)}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2]} | {$pull: {a: 3}} | unchanged
          {_id: 1, a: [1, null]} | {$pull: {a: null}} | {_id: 1, a: [1]}
          {_id: 1, a: [1, [2, 3], [3, 2]]} | {$pull: {a: [2, 3]}} | {_id: 1, a: [1, [3, 2]]}
          {_id: 1, a: []} | {$pull: {a: 1}} | unchanged
          {_id: 1} | {$pull: {a: 1}} | unchanged
          {_id: 1} | {$pull: {'a.b.c': {$lt: 1}}} | unchanged
          {_id: 1, a: {b: [1, 2]}} | {$pull: {'a.b': 1}} | {_id: 1, a: {b: [2]}}
          {_id: 1, a: [[1, 2], [1]]} | {$pull: {'a.0': 1}} | {_id: 1, a: [[2], [1]]}
          # conditions on elements
          {_id: 1, a: [1, 5, 9, 'x']} | {$pull: {a: {$gte: 5}}} | {_id: 1, a: [1, 'x']}
          {_id: 1, a: [1, 5, 9]} | {$pull: {a: {$gt: 1, $lt: 9}}} | {_id: 1, a: [1, 9]}
          {_id: 1, a: [1, 2, 3]} | {$pull: {a: {$in: [1, 3]}}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2, 3]} | {$pull: {a: {$ne: 2}}} | {_id: 1, a: [2]}
          {_id: 1, a: [1, 2, 3]} | {$pull: {a: {$exists: true}}} | {_id: 1, a: []}
          {_id: 1, a: ['ab', 'b', 'ac', 1]} | {$pull: {a: {$regex: '^a'}}} | {_id: 1, a: ['b', 1]}
          {_id: 1, a: ['ab', 'b', 'AC', 1]} | {$pull: {a: /^a/i}} | {_id: 1, a: ['b', 1]}
          {_id: 1, a: [[1, 2], [3], 4]} | {$pull: {a: {$lt: 2}}} | {_id: 1, a: [[3], 4]}
          {_id: 1, a: [{b: [{c: 1}]}, {b: [{c: 2}]}]} | {$pull: {a: {b: {$elemMatch: {c: 1}}}}} | {_id: 1, a: [{b: [{c: 2}]}]}
          {_id: 1, a: [[{c: 1}], [{c: 2}]]} | {$pull: {a: {$elemMatch: {c: 1}}}} | {_id: 1, a: [[{c: 2}]]}
          # filters on embedded documents
          {_id: 1, a: [{x: 1, y: 1}, {x: 2}, 1]} | {$pull: {a: {x: 1}}} | {_id: 1, a: [{x: 2}, 1]}
          {_id: 1, a: [{x: 1, y: 1}, {x: 1, y: 5}]} | {$pull: {a: {x: 1, y: {$gt: 3}}}} | {_id: 1, a: [{x: 1, y: 1}]}
          {_id: 1, a: [{x: {y: 1}}, {x: {y: 2}}]} | {$pull: {a: {'x.y': 1}}} | {_id: 1, a: [{x: {y: 2}}]}
          {_id: 1, a: [{x: 1}, {x: 2}, {x: 3}]} | {$pull: {a: {$or: [{x: 1}, {x: 3}]}}} | {_id: 1, a: [{x: 2}]}
          {_id: 1, a: [{x: 1}, {}, 5]} | {$pull: {a: {}}} | {_id: 1, a: [5]}
          {_id: 1, a: [{x: [1, 2]}, {x: [3]}]} | {$pull: {a: {x: 2}}} | {_id: 1, a: [{x: [3]}]}
          {_id: 1, a: [{$ref: 'c', $id: 1}, {$ref: 'c', $id: 2}]} | {$pull: {a: {$ref: 'c', $id: 1}}} | {_id: 1, a: [{$ref: 'c', $id: 2}]}
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
          {_id: 1, a: 1} | {$pull: {a: 1}} | 2 | Cannot apply $pull to a non-array value
          {_id: 1, a: null} | {$pull: {a: 1}} | 2 | Cannot apply $pull to a non-array value
          {_id: 1, a: 1} | {$pull: {'a.b': 1}} | 28 | Cannot use the part (b) of (a.b) to traverse the element ({a: 1})
          {_id: 1, a: [1]} | {$pull: {a: {$expr: 1}}} | 224 | $expr is not allowed in this context
          {_id: 1, a: [1]} | {$pull: {a: {$and: [{$where: '1'}]}}} | 2 | $where is not allowed in this context
          {_id: 1, a: [1]} | {$pull: {a: {$not: {$gt: 1}}}} | 2 | unknown top level operator: $not. If you are trying to negate an entire expression, use $nor.
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
