package dev.wisent.database.explain;

import static dev.wisent.database.TestDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.query.bounds.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundsTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                 | true  | 1                 | true  | [1, 1]
          1.0               | true  | 1.0               | true  | [1.0, 1.0]
          {$numberLong:'5'} | true  | {$numberLong:'9'} | false | [5, 9)
          5                 | false | Infinity          | true  | (5, inf.0]
          -Infinity         | true  | 5                 | true  | [-inf.0, 5]
          NaN               | true  | NaN               | true  | [nan.0, nan.0]
          'a'               | true  | 'b'               | false | ["a", "b")
          ''                | true  | {}                | false | ["", {})
          {}                | true  | []                | false | [{}, [])
          /^a/              | true  | /^a/              | true  | [/^a/, /^a/]
          {$minKey: 1}      | true  | {$maxKey: 1}      | true  | [MinKey, MaxKey]
          null              | true  | null              | true  | [null, null]
          {$undefined:true} | true  | {$undefined:true} | true  | [undefined, undefined]
          false             | true  | true              | true  | [false, true]
          {$date: 0}        | true  | {$date: 86400000} | false | [new Date(0), new Date(86400000))
          [1, 2]            | true  | [1, 2]            | true  | [[ 1, 2 ], [ 1, 2 ]]
          {a: 1}            | true  | {a: 1}            | true  | [{ a: 1 }, { a: 1 }]
          """)
  void intervals(String low, boolean lowIn, String high, boolean highIn, String expected) {
    assertThat(BoundsText.of(new Interval(value(low), lowIn, value(high), highIn), false))
        .isEqualTo(expected);
  }

  @Test
  void downwards() {
    assertThat(BoundsText.of(new Interval(value("1"), true, value("5"), false), true))
        .isEqualTo("(5, 1]");
    assertThat(BoundsText.of(Interval.ALL, true)).isEqualTo("[MaxKey, MinKey]");
  }

  @Test
  void objectIds() {
    var id = value("{$oid: '5f0000000000000000000001'}");
    assertThat(BoundsText.of(Interval.point(id), false))
        .isEqualTo("[ObjectId('5f0000000000000000000001'), ObjectId('5f0000000000000000000001')]");
  }
}
