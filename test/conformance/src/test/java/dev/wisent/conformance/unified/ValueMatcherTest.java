package dev.wisent.conformance.unified;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueMatcherTest {

  private final Entities entities = new Entities();
  private final ValueMatcher matcher = new ValueMatcher(entities);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{v: {a: 1}}                             | {v: {a: 1}, more: 1}",
        "{v: {a: 1}}                             | {v: {a: {$numberLong: '1'}}}",
        "{v: {a: 1}}                             | {v: {a: 1.0}}",
        "{v: {a: 1, b: 2}}                       | {v: {b: 2, a: 1}}",
        "{v: [1, {a: 1}]}                        | {v: [1, {a: 1}]}",
        "{v: {$$exists: true}}                   | {v: null}",
        "{v: {$$exists: false}}                  | {}",
        "{v: {$$type: 'string'}}                 | {v: 'x'}",
        "{v: {$$type: ['int', 'long']}}          | {v: 1}",
        "{v: {$$type: 'number'}}                 | {v: 1.5}",
        "{v: {$$unsetOrMatches: 1}}              | {}",
        "{v: {$$unsetOrMatches: 1}}              | {v: 1}",
        "{v: {$$unsetOrMatches: {a: 1}}}         | {v: {a: 1}}",
        "{v: {$$lte: 5}}                         | {v: 5}",
        "{v: {$$matchesHexBytes: 'FF00'}}        | {v: {$binary: {base64: '/wA=', subType: '0'}}}",
        "{v: {$$matchAsDocument: {a: 1}}}        | {v: '{\"a\": 1}'}",
        "{v: {$$matchAsRoot: {a: 1}}}            | {v: {a: 1, b: 2}}",
      })
  void matches(String expected, String actual) {
    assertThatCode(() -> matcher.check(document(expected), document(actual)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{v: 1}                                  | {}",
        "{v: 1}                                  | {v: 2}",
        "{v: 1}                                  | {v: '1'}",
        "{v: 1}                                  | {v: {$numberDecimal: '1'}}",
        "{v: null}                               | {}",
        "{v: {a: 1}}                             | {v: {a: 1, b: 2}}",
        "{v: [1]}                                | {v: [1, 2]}",
        "{v: [1, 2]}                             | {v: [2, 1]}",
        "{v: {$$exists: true}}                   | {}",
        "{v: {$$exists: false}}                  | {v: null}",
        "{v: {$$type: 'string'}}                 | {v: 1}",
        "{v: {$$type: ['int', 'long']}}          | {v: 1.5}",
        "{v: {$$type: 'string'}}                 | {}",
        "{v: {$$unsetOrMatches: 1}}              | {v: 2}",
        "{v: {$$unsetOrMatches: {a: 1}}}         | {v: {a: 1, b: 2}}",
        "{v: {$$lte: 5}}                         | {v: 6}",
        "{v: {$$matchesHexBytes: 'FF00'}}        | {v: {$binary: {base64: '/w==', subType: '0'}}}",
        "{v: {$$matchAsDocument: {a: 1}}}        | {v: '{\"a\": 2}'}",
        "{v: {$$matchAsRoot: {a: 1}}}            | {v: {b: 2}}",
      })
  void differs(String expected, String actual) {
    assertThatThrownBy(() -> matcher.check(document(expected), document(actual)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("result.v");
  }

  @Test
  void documentsOfARootArrayMayHaveMoreFields() {
    BsonValue expected = document("{v: [{a: 1}]}").get("v");

    assertThatCode(() -> matcher.check(expected, document("{v: [{a: 1, b: 2}]}").get("v")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> matcher.check(expected, document("{v: [{b: 2}]}").get("v")))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void comparesWithASavedValue() {
    entities.add("saved", document("{v: 7}").get("v"));

    assertThatCode(
            () -> matcher.check(document("{v: {$$matchesEntity: 'saved'}}"), document("{v: 7}")))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> matcher.check(document("{v: {$$matchesEntity: 'saved'}}"), document("{v: 8}")))
        .isInstanceOf(AssertionError.class);
  }

  private static BsonDocument document(String json) {
    return BsonDocument.parse(json);
  }
}
