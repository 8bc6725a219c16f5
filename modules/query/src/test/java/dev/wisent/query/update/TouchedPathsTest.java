package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which indexes an update may concern. */
class TouchedPathsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$set: {a: 1}} | a | true
          {$set: {a: 1}} | a.b | true
          {$set: {'a.b': 1}} | a | true
          {$set: {'a.b': 1}} | a.c | false
          {$set: {a: 1}} | ab | false
          {$set: {ab: 1}} | a | false
          {$set: {'a.0.b': 1}} | a.b | true
          {$set: {'a.0.b': 1}} | a.c | false
          {$set: {'a.0': 1}} | a.b | true
          {$set: {'a.$[].b': 1}} | a.b | true
          {$set: {'a.$.b': 1}} | a.b | true
          {$set: {'a.$.b': 1}} | a.c | false
          {$set: {'a.b': 1}} | a.0.b | true
          {$set: {'0': 1}} | 0 | true
          {$set: {'0': 1}} | a | false
          {$rename: {a: 'b'}} | a | true
          {$rename: {a: 'b'}} | b | true
          {$rename: {a: 'b'}} | c | false
          {$set: {a: 1}, $unset: {'b.c': 1}} | b.c.d | true
          {$set: {a: 1}, $unset: {'b.c': 1}} | b.d | false
          {$set: {}} | a | false
          {a: 1} | b | true
          """)
  void mayAffect(String update, String indexedPath, boolean expected) {
    TouchedPaths touched = UpdateCases.parse(update).touched();
    assertThat(touched.mayAffect(indexedPath)).as("%s: %s", update, touched).isEqualTo(expected);
  }

  @Test
  void nothingIsTouchedWhereNothingChanged() {
    var outcome =
        UpdateCases.parse("{$set: {a: 1}}").apply(RawDocument.parse("{_id: 1, a: 1}"), null, false);
    assertThat(outcome.touched().mayAffect("a")).isFalse();
  }
}
