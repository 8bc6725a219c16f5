package dev.wisent.query.update;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $currentDate}: the clock of the context, as a date or a timestamp. */
class CurrentDateUpdateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1} | {$currentDate: {a: true}} | {_id: 1, a: {$date: {$numberLong: '1700000000000'}}}
          {_id: 1} | {$currentDate: {a: false}} | {_id: 1, a: {$date: {$numberLong: '1700000000000'}}}
          {_id: 1, a: 1} | {$currentDate: {a: {$type: 'date'}}} | {_id: 1, a: {$date: {$numberLong: '1700000000000'}}}
          {_id: 1, a: null} | {$currentDate: {a: {$type: 'timestamp'}}} | {_id: 1, a: Timestamp(7, 1)}
          {_id: 1} | {$currentDate: {'a.b': {$type: 'timestamp'}}} | {_id: 1, a: {b: Timestamp(7, 1)}}
          {_id: 1, a: [1, 2]} | {$currentDate: {'a.1': {$type: 'timestamp'}}} | {_id: 1, a: [1, Timestamp(7, 1)]}
          {_id: 1, a: Timestamp(0, 0)} | {$set: {b: Timestamp(0, 0)}} | {_id: 1, a: Timestamp(0, 0), b: Timestamp(0, 0)}
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
          {_id: 1} | {$currentDate: {a: 1}} | 2 | int is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).
          {_id: 1} | {$currentDate: {a: {$type: 'time'}}} | 2 | The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
          {_id: 1} | {$currentDate: {a: {}}} | 2 | The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
          {_id: 1} | {$currentDate: {a: {$type: 9}}} | 2 | The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
          {_id: 1} | {$currentDate: {a: {x: 1}}} | 2 | Unrecognized $currentDate option: x
          {_id: 1, a: 1} | {$currentDate: {'a.b': true}} | 28 | Cannot create field 'b' in element {a: 1}
          {_id: 1} | {$currentDate: {_id: true}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          """)
  void fails(String document, String update, int code, String message) {
    UpdateCases.assertError(document, update, code, message);
  }
}
