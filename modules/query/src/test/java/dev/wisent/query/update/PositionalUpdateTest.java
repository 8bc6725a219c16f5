package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The positional operators: {@code $}, {@code $[]} and {@code $[id]}. */
class PositionalUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # the element that the query matched
          {_id: 1, a: [1, 2, 3]} | {a: 2} | {$set: {'a.$': 9}} | [] | {_id: 1, a: [1, 9, 3]}
          {_id: 1, a: [{x: 1}, {x: 2}]} | {'a.x': 2} | {$set: {'a.$.y': 9}} | [] | {_id: 1, a: [{x: 1}, {x: 2, y: 9}]}
          {_id: 1, a: [{x: 1}, {x: 2}]} | {a: {$elemMatch: {x: 2}}} | {$inc: {'a.$.x': 5}} | [] | {_id: 1, a: [{x: 1}, {x: 7}]}
          {_id: 1, a: [1, 2, 3]} | {a: 2} | {$unset: {'a.$': 1}} | [] | {_id: 1, a: [1, null, 3]}
          {_id: 1, a: [1, 2], b: [7, 8]} | {a: 2} | {$set: {'b.$': 9}} | [] | {_id: 1, a: [1, 2], b: [7, 9]}
          {_id: 1, a: [[1], [2]]} | {a: [2]} | {$push: {'a.$': 9}} | [] | {_id: 1, a: [[1], [2, 9]]}
          {_id: 1, a: [{x: 1}, {x: 2}]} | {'a.x': 2} | {$set: {'a.$.y': 9, 'a.1.z': 8, 'a.0.z': 7}} | [] | {_id: 1, a: [{x: 1, z: 7}, {x: 2, y: 9, z: 8}]}
          {_id: 1, a: [{x: [1]}, {x: [5]}]} | {'a.x': 5} | {$set: {'a.$.x.$[]': 9}} | [] | {_id: 1, a: [{x: [1]}, {x: [9]}]}
          # all elements
          {_id: 1, a: [1, 2]} | {} | {$set: {'a.$[]': 9}} | [] | {_id: 1, a: [9, 9]}
          {_id: 1, a: [9, 9]} | {} | {$set: {'a.$[]': 9}} | [] | unchanged
          {_id: 1, a: []} | {} | {$set: {'a.$[]': 9}} | [] | unchanged
          {_id: 1, a: [{x: 1}, {y: 2}]} | {} | {$set: {'a.$[].x': 9}} | [] | {_id: 1, a: [{x: 9}, {y: 2, x: 9}]}
          {_id: 1, a: [[1, 2], [3]]} | {} | {$mul: {'a.$[].$[]': 2}} | [] | {_id: 1, a: [[2, 4], [6]]}
          {_id: 1, a: [{b: [1]}, {b: [2, 3]}]} | {} | {$inc: {'a.$[].b.$[]': 10}} | [] | {_id: 1, a: [{b: [11]}, {b: [12, 13]}]}
          {_id: 1, a: [{x: 1}]} | {} | {$set: {'a.$[].y': 1}, $inc: {'a.$[].x': 1}} | [] | {_id: 1, a: [{x: 2, y: 1}]}
          # the elements that a filter chooses
          {_id: 1, a: [1, 5, 9]} | {} | {$set: {'a.$[i]': 0}} | [{i: {$gt: 4}}] | {_id: 1, a: [1, 0, 0]}
          {_id: 1, a: [1, 5]} | {} | {$set: {'a.$[i]': 0}} | [{i: {$gt: 100}}] | unchanged
          {_id: 1, a: [{x: 1}, {x: 2}]} | {} | {$set: {'a.$[e].y': 0}} | [{'e.x': 2}] | {_id: 1, a: [{x: 1}, {x: 2, y: 0}]}
          {_id: 1, a: [{x: 1, y: 1}, {x: 1, y: 2}]} | {} | {$set: {'a.$[e].z': 0}} | [{'e.x': 1, 'e.y': 2}] | {_id: 1, a: [{x: 1, y: 1}, {x: 1, y: 2, z: 0}]}
          {_id: 1, a: [0, 1, 3]} | {} | {$set: {'a.$[i]': 2}} | [{$or: [{i: 0}, {i: 3}]}] | {_id: 1, a: [2, 1, 2]}
          {_id: 1, a: [{b: [{c: 1}, {c: 2}]}, {b: [{c: 2}]}]} | {} | {$set: {'a.$[].b.$[k].d': 1}} | [{'k.c': 2}] | {_id: 1, a: [{b: [{c: 1}, {c: 2, d: 1}]}, {b: [{c: 2, d: 1}]}]}
          {_id: 1, a: [1, 5]} | {} | {$inc: {'a.$[i]': 1, 'a.$[j]': 10}} | [{i: 1}, {j: 5}] | {_id: 1, a: [2, 15]}
          {_id: 1, a: [{x: 1}]} | {} | {$set: {'a.$[i].y': 1, 'a.$[j].z': 2}} | [{'i.x': 1}, {'j.x': {$lt: 5}}] | {_id: 1, a: [{x: 1, y: 1, z: 2}]}
          {_id: 1, a: [null, 1]} | {} | {$set: {'a.$[iA3]': 2}} | [{iA3: null}] | {_id: 1, a: [2, 1]}
          {_id: 1, a: [[1, 2], [3]]} | {} | {$set: {'a.$[i]': 0}} | [{i: 2}] | {_id: 1, a: [0, [3]]}
          """)
  void changes(String document, String filter, String update, String filters, String expected) {
    UpdateCases.assertResult(document, filter, update, filters, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: [1]} | {} | {$set: {'a.$': 9}} | [] | 2 | The positional operator did not find the match needed from the query.
          {_id: 1, a: [1]} | {a: 1} | {$set: {'a.$.b.$': 9}} | [] | 2 | Too many positional (i.e. '$') elements found in path 'a.$.b.$'
          {_id: 1, a: [1]} | {a: 1} | {$set: {'$': 9}} | [] | 2 | Cannot have positional (i.e. '$') element in the first position in path '$'
          {_id: 1, a: [1]} | {a: 1} | {$set: {'$.a': 9}} | [] | 2 | Cannot have positional (i.e. '$') element in the first position in path '$.a'
          {_id: 1, a: [1]} | {a: 1} | {$set: {'a.$': 9, 'a.0': 8}} | [] | 40 | Update created a conflict at 'a.0'
          {_id: 1, a: [1]} | {a: 1} | {$set: {'a.$.b': 9}} | [] | 28 | Cannot create field 'b' in element {0: 1}
          {_id: 1, a: [1]} | {} | {$set: {'$[]': 9}} | [] | 2 | Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '$[]'
          {_id: 1, a: 1} | {} | {$set: {'a.$[]': 9}} | [] | 2 | Cannot apply array updates to non-array element a: 1
          {_id: 1, a: {b: {c: 1}}} | {} | {$set: {'a.b.$[]': 9}} | [] | 2 | Cannot apply array updates to non-array element b: { c: 1 }
          {_id: 1} | {} | {$set: {'a.$[]': 9}} | [] | 2 | The path 'a' must exist in the document in order to apply array updates.
          {_id: 1, a: {}} | {} | {$unset: {'a.b.c.$[]': 9}} | [] | 2 | The path 'a.b.c' must exist in the document in order to apply array updates.
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [] | 2 | No array filter found for identifier 'i' in path 'a.$[i]'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9, 'a.$': 1}} | [{i: 1}] | 40 | Updating the path 'a.$' would create a conflict at 'a'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9, 'a.0': 1}} | [{i: 1}] | 40 | Updating the path 'a.0' would create a conflict at 'a'
          {_id: 1, a: [0]} | {} | {$set: {'a.$[i]': 2, 'a.$[j]': 3}} | [{i: 0}, {j: 0}] | 40 | Update created a conflict at 'a.0'
          {_id: 1, a: [{x: 0, b: [{y: 0}]}]} | {} | {$set: {'a.$[i].b.$[k].c': 1, 'a.$[j].b.$[k].c': 2}} | [{'i.x': 0}, {'j.x': 0}, {'k.y': 0}] | 40 | Update created a conflict at 'a.0.b.$[k].c'
          {_id: 1, a: [0]} | {} | {$set: {'a.$[i].b': 2}} | [{i: 0}] | 28 | Cannot create field 'b' in element {0: 0}
          {_id: 1, a: [1]} | {} | {$set: {'a': 9}} | [{i: 1}] | 9 | The array filter for identifier 'i' was not used in the update { $set: { a: 9 } }
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{i: 1}, {i: 2}] | 9 | Found multiple array filters with the same top-level field name i
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{i: 1, j: 2}] | 9 | Error parsing array filter :: caused by :: Expected a single top-level field name, found 'i' and 'j'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{$and: [{i: 1}, {$or: [{'j.x': 2}]}]}] | 9 | Error parsing array filter :: caused by :: Expected a single top-level field name, found 'i' and 'j'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{}] | 9 | Cannot use an expression without a top-level field name in arrayFilters
          {_id: 1, a: [1]} | {} | {$set: {'a.$[I]': 9}} | [{I: 1}] | 2 | Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found 'I'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{'': 1}] | 2 | Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found ''
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{'i&': 1}] | 2 | Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found 'i&'
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{$expr: 1}] | 224 | Error parsing array filter :: caused by :: $expr is not allowed in this context
          {_id: 1, a: [1]} | {} | {$set: {'a.$[i]': 9}} | [{i: {$foo: 1}}] | 2 | Error parsing array filter :: caused by :: unknown operator: $foo
          """)
  void fails(
      String document, String filter, String update, String filters, int code, String message) {
    UpdateCases.assertError(document, filter, update, filters, code, message);
  }

  @Test
  void onlyThePlainPositionalOperatorNeedsMatchDetails() {
    assertThat(UpdateCases.parse("{$set: {'a.$.b': 1}}").needsMatchDetails()).isTrue();
    assertThat(UpdateCases.parse("{$set: {'a.$[].b': 1}}").needsMatchDetails()).isFalse();
    assertThat(UpdateCases.parse("{a: 1}").needsMatchDetails()).isFalse();
  }

  @Test
  void aLargeArrayTakesLinearTime() {
    var array = new StringBuilder("[0");
    for (int i = 1; i < 50_000; i++) {
      array.append(", ").append(i % 2);
    }
    array.append(']');
    UpdateCases.assertResult(
        "{_id: 1, a: " + array + "}",
        "{}",
        "{$set: {'a.$[i]': 1}}",
        "[{i: 0}]",
        "{_id: 1, a: " + array.toString().replace('0', '1') + "}");
  }
}
