package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $inc}: types of the sum, overflow, and what is no number. */
class IncUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1, a: 1} | {$inc: {a: 2}} | {_id: 1, a: 3}
          {_id: 1, a: 1} | {$inc: {a: -2}} | {_id: 1, a: -1}
          {_id: 1} | {$inc: {a: 5}} | {_id: 1, a: 5}
          {_id: 1} | {$inc: {'a.b': 5}} | {_id: 1, a: {b: 5}}
          {_id: 1, a: 1} | {$inc: {a: 0}} | unchanged
          {_id: 1, a: 1} | {$inc: {a: NumberLong(0)}} | {_id: 1, a: NumberLong(1)}
          {_id: 1, a: 1} | {$inc: {a: 0.0}} | {_id: 1, a: 1.0}
          {_id: 1, a: 1} | {$inc: {a: NumberLong(2)}} | {_id: 1, a: NumberLong(3)}
          {_id: 1, a: 1} | {$inc: {a: 0.5}} | {_id: 1, a: 1.5}
          {_id: 1, a: 1.5} | {$inc: {a: 1}} | {_id: 1, a: 2.5}
          {_id: 1, a: NumberLong(1)} | {$inc: {a: 0.5}} | {_id: 1, a: 1.5}
          {_id: 1, a: 2147483647} | {$inc: {a: 1}} | {_id: 1, a: NumberLong(2147483648)}
          {_id: 1, a: -2147483648} | {$inc: {a: -1}} | {_id: 1, a: NumberLong(-2147483649)}
          {_id: 1, a: NumberLong(5)} | {$inc: {a: 1}} | {_id: 1, a: NumberLong(6)}
          {_id: 1, a: NumberDecimal('1.10')} | {$inc: {a: 1}} | {_id: 1, a: NumberDecimal('2.10')}
          {_id: 1, a: 1} | {$inc: {a: NumberDecimal('0.25')}} | {_id: 1, a: NumberDecimal('1.25')}
          {_id: 1, a: 0.1} | {$inc: {a: NumberDecimal('1')}} | {_id: 1, a: NumberDecimal('1.100000000000000')}
          {_id: 1, a: NumberDecimal('NaN')} | {$inc: {a: 1}} | unchanged
          {_id: 1, a: NumberDecimal('Infinity')} | {$inc: {a: NumberDecimal('-Infinity')}} | {_id: 1, a: NumberDecimal('NaN')}
          {_id: 1, a: 1.0e308} | {$inc: {a: 1.0e308}} | {_id: 1, a: Infinity}
          {_id: 1, a: [1, 2]} | {$inc: {'a.1': 5}} | {_id: 1, a: [1, 7]}
          {_id: 1, a: [{n: 1}]} | {$inc: {'a.0.n': 5}} | {_id: 1, a: [{n: 6}]}
          {_id: 1, a: [1]} | {$inc: {'a.2': 5}} | {_id: 1, a: [1, null, 5]}
          {_id: 1, a: 1, b: 2, c: 3} | {$inc: {a: 1, c: 1}} | {_id: 1, a: 2, b: 2, c: 4}
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
          {_id: 1, a: 'x'} | {$inc: {a: 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string
          {_id: 1, a: null} | {$inc: {a: 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type null
          {_id: 'k', a: {b: []}} | {$inc: {'a.b': 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {_id: "k"} has the field 'b' of non-numeric type array
          {_id: 1, a: [true]} | {$inc: {'a.0': 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field '0' of non-numeric type bool
          {a: 'x'} | {$inc: {a: 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {no id} has the field 'a' of non-numeric type string
          {_id: 1, a: 1} | {$inc: {a: 'x'}} | 14 | Cannot increment with non-numeric argument: {a: "x"}
          {_id: 1, a: 1} | {$inc: {'a.b': null}} | 14 | Cannot increment with non-numeric argument: {a.b: null}
          {_id: 1, a: 1} | {$inc: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          {_id: 1, a: NumberLong('9223372036854775807')} | {$inc: {a: 1}} | 2 | Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}
          {_id: 1, a: NumberLong('-9223372036854775808')} | {$inc: {a: -1}} | 2 | Failed to apply $inc operations to current value ((NumberLong)-9223372036854775808) for document {_id: 1}
          {_id: 1, a: 42} | {$inc: {a: NumberLong('9223372036854775807')}} | 2 | Failed to apply $inc operations to current value ((NumberInt)42) for document {_id: 1}
          {_id: 1} | {$inc: {_id: 1}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
