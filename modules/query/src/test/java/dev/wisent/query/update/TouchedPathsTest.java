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
          {$set: {a: 2}} | a | true
          {$set: {a: 2}} | a.b | true
          {$set: {'a.b': 2}} | a | true
          {$set: {'a.b': 2}} | a.c | false
          {$set: {a: 2}} | ab | false
          {$set: {ab: 2}} | a | false
          {$set: {'l.0.b': 2}} | l.b | true
          {$set: {'l.0.b': 2}} | l.c | false
          {$set: {'l.0': 2}} | l.b | true
          {$set: {'l.$[].b': 2}} | l.b | true
          {$set: {'l.$[].b': 2}} | l.c | false
          {$set: {'a.b': 2}} | a.0.b | true
          {$set: {'0': 2}} | 0 | true
          {$set: {'0': 2}} | a | false
          {$rename: {b: 'd'}} | b | true
          {$rename: {b: 'd'}} | d | true
          {$rename: {b: 'd'}} | c | false
          {$set: {ab: 2}, $unset: {'b.c': 1}} | b.c.d | true
          {$set: {ab: 2}, $unset: {'b.c': 1}} | b.d | false
          {$set: {'l.1.b': 2}} | l.c | true
          {$inc: {'l.1.b': 2}} | l.c | true
          {$min: {'l.1.b': 2}} | l.c | true
          {$push: {'l.1.b': 2}} | l.c | true
          {$set: {'l.7.b.c': 2}} | l.d.e | true
          {$set: {'a.l.1.b': 2}} | a.l.c | true
          {$set: {'a.l.1.b': 2}} | a.c | false
          {$set: {'l.1.b': 2}} | a | false
          {$set: {'l.0.m.1.b': 2}} | l.m.c | true
          {$set: {'l.0.m.1.b': 2}} | l.c | false
          {$set: {'l.0.1.b': 2}} | l.1.c | true
          {$set: {'l.$[].1.b': 2}} | l.1.c | true
          {$set: {'l.0.1': 2}} | l.c | true
          {$set: {'a.l.0.1.b': 2}} | a.c | false
          {c: 1} | b | true
          """)
  void mayAffect(String update, String indexedPath, boolean expected) {
    var original =
        RawDocument.parse(
            "{_id: 1, a: {b: 1, l: [{}]}, b: {c: 1}, l: [{b: 1, c: 1, m: [0]}], ab: 1}");
    TouchedPaths touched = UpdateCases.parse(update).apply(original, null, false).touched();
    assertThat(touched.mayAffect(indexedPath)).as("%s: %s", update, touched).isEqualTo(expected);
  }

  @Test
  void nothingIsTouchedWhereNothingChanged() {
    var outcome =
        UpdateCases.parse("{$set: {a: 1}}").apply(RawDocument.parse("{_id: 1, a: 1}"), null, false);
    assertThat(outcome.touched().mayAffect("a")).isFalse();
  }
}
