package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $mul}: products, and zeros for what is missing. */
class MulUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 3} | {$mul: {a: 2}} | {_id: 1, a: 6}
          {_id: 1, a: 3} | {$mul: {a: 1}} | unchanged
          {_id: 1, a: 3} | {$mul: {a: 1.0}} | {_id: 1, a: 3.0}
          {_id: 1, a: 3} | {$mul: {a: 0.5}} | {_id: 1, a: 1.5}
          {_id: 1, a: 65536} | {$mul: {a: 65536}} | {_id: 1, a: NumberLong(4294967296)}
          {_id: 1, a: NumberLong(3)} | {$mul: {a: 2}} | {_id: 1, a: NumberLong(6)}
          {_id: 1} | {$mul: {a: 5}} | {_id: 1, a: 0}
          {_id: 1} | {$mul: {a: NumberLong(5)}} | {_id: 1, a: NumberLong(0)}
          {_id: 1} | {$mul: {a: 2.5}} | {_id: 1, a: 0.0}
          {_id: 1} | {$mul: {a: NumberDecimal('5')}} | {_id: 1, a: NumberDecimal('0')}
          {_id: 1, a: NumberDecimal('1.5')} | {$mul: {a: 2}} | {_id: 1, a: NumberDecimal('3.0')}
          {_id: 1, a: NumberDecimal('9E6144')} | {$mul: {a: 10}} | {_id: 1, a: NumberDecimal('Infinity')}
          {_id: 1, a: NumberDecimal('1E-6176')} | {$mul: {a: NumberDecimal('0.1')}} | {_id: 1, a: NumberDecimal('0E-6176')}
          {_id: 1, a: [2, 3]} | {$mul: {'a.0': 4}} | {_id: 1, a: [8, 3]}
          {_id: 1} | {$mul: {'a.b': 4}} | {_id: 1, a: {b: 0}}
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
          {_id: 1, a: 'x'} | {$mul: {a: 1}} | 14 | Cannot apply $mul to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string
          {_id: 1, a: null} | {$mul: {a: 1}} | 14 | Cannot apply $mul to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type null
          {_id: 1, a: 1} | {$mul: {a: 'x'}} | 14 | Cannot multiply with non-numeric argument: {a: "x"}
          {_id: 1, a: NumberLong('4611686018427387904')} | {$mul: {a: 4}} | 2 | Failed to apply $mul operations to current value ((NumberLong)4611686018427387904) for document {_id: 1}
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
