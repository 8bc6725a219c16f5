package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $bit}: and, or, xor on integers of either width. */
class BitUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 13} | {$bit: {a: {and: 10}}} | {_id: 1, a: 8}
          {_id: 1, a: 3} | {$bit: {a: {or: 5}}} | {_id: 1, a: 7}
          {_id: 1, a: 1} | {$bit: {a: {xor: 5}}} | {_id: 1, a: 4}
          {_id: 1, a: 1} | {$bit: {a: {and: 1}}} | unchanged
          {_id: 1, a: 1} | {$bit: {a: {or: NumberLong(4)}}} | {_id: 1, a: NumberLong(5)}
          {_id: 1, a: NumberLong(1)} | {$bit: {a: {or: 4}}} | {_id: 1, a: NumberLong(5)}
          {_id: 1, a: -1} | {$bit: {a: {and: NumberLong('4294967296')}}} | {_id: 1, a: NumberLong('4294967296')}
          {_id: 1, a: 15} | {$bit: {a: {and: 6, or: 16, xor: 1}}} | {_id: 1, a: 23}
          {_id: 1} | {$bit: {a: {or: 5}}} | {_id: 1, a: 5}
          {_id: 1} | {$bit: {a: {and: 5}}} | {_id: 1, a: 0}
          {_id: 1} | {$bit: {a: {and: NumberLong(5)}}} | {_id: 1, a: NumberLong(0)}
          {_id: 1, a: [1, 2]} | {$bit: {'a.1': {or: 5}}} | {_id: 1, a: [1, 7]}
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
          {_id: 1, a: 1.0} | {$bit: {a: {or: 1}}} | 2 | Cannot apply $bit to a value of non-integral type._id: 1 has the field a of non-integer type double
          {_id: 1, a: {b: null}} | {$bit: {'a.b': {or: 1}}} | 2 | Cannot apply $bit to a value of non-integral type._id: 1 has the field b of non-integer type null
          {_id: 1, a: 1} | {$bit: {a: 5}} | 2 | The $bit modifier is not compatible with a int. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}
          {_id: 1, a: 1} | {$bit: {a: {}}} | 2 | You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}
          {_id: 1, a: 1} | {$bit: {a: {foo: 4}}} | 2 | The $bit modifier only supports 'and', 'or', and 'xor', not 'foo' which is an unknown operator: {foo: 4}
          {_id: 1, a: 1} | {$bit: {a: {and: true}}} | 2 | The $bit modifier field must be an Integer(32/64 bit); a 'bool' is not supported here: {and: true}
          {_id: 1, a: 1} | {$bit: {a: {or: 1.0}}} | 2 | The $bit modifier field must be an Integer(32/64 bit); a 'double' is not supported here: {or: 1.0}
          {_id: 1, a: 1} | {$bit: {'a.b': {or: 1}}} | 28 | Cannot create field 'b' in element {a: 1}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
