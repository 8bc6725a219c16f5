package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactIdTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "\"x\"",
        "null",
        "{}",
        "{a: 1}",
        "{$ref: \"c\", $id: 1}",
        "[1]",
        "{$minKey: 1}",
        "{a: {$gt: 1}}"
      })
  void plainAndWithEq(String value) {
    RawValue expected = RawDocument.parse("{v: " + value + "}").get("v");
    assertThat(ExactId.of(RawDocument.parse("{_id: " + value + "}"))).isEqualTo(expected);
    assertThat(ExactId.of(RawDocument.parse("{_id: {$eq: " + value + "}}"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{a: 1}",
        "{_id: 1, a: 1}",
        "{a: 1, _id: 1}",
        "{\"_id.a\": 1}",
        "{_id: /x/}",
        "{_id: undefined}",
        "{_id: {$eq: undefined}}",
        "{_id: {$gt: 1}}",
        "{_id: {$in: [1]}}",
        "{_id: {$eq: 1, $gt: 0}}",
        "{_id: {$gt: 0, $eq: 1}}",
        "{_id: {$foo: 1}}",
        "{_ids: 1}",
        "{$and: [{_id: 1}]}"
      })
  void everythingElse(String filter) {
    assertThat(ExactId.of(RawDocument.parse(filter))).isNull();
  }
}
