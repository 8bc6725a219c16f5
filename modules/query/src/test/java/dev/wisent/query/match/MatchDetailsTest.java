package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchDetailsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 2}                               | {a: [1, 2, 3]}                  | 1
          {a: 2}                               | {a: 2}                          | -1
          {a: [1, 2]}                          | {a: [1, 2]}                     | -1
          {a: {$gt: 1}}                        | {a: [1, 2, 3]}                  | 1
          {a: {$in: [3]}}                      | {a: [1, 2, 3]}                  | 2
          {a: {$exists: true}}                 | {a: [1, 2]}                     | 0
          {"a.b": 2}                           | {a: [{b: 1}, {b: 2}]}           | 1
          {"a.b": 3}                           | {a: [{b: 1}, {b: [0, 3]}]}      | 1
          {"a.b": 3}                           | {a: {b: [0, 3]}}                | 1
          {"a.0": 1}                           | {a: [1, 2]}                     | -1
          {"a.1.b": 3}                         | {a: [{b: 1}, {b: [0, 3]}]}      | 1
          {a: {$elemMatch: {b: 2}}}            | {a: [{b: 1}, {b: 2}]}           | 1
          {a: {$elemMatch: {$gt: 1}}}          | {a: [0, 5]}                     | 1
          {"a.b": {$elemMatch: {$gt: 1}}}      | {a: [{b: []}, {b: [0, 0, 5]}]}  | 1
          {"a.b": {$elemMatch: {$gt: 1}}}      | {a: {b: [0, 0, 5]}}             | 2
          {a: 1, b: 2}                         | {a: [1], b: [0, 2]}             | 1
          {b: 2, a: 1}                         | {a: [1], b: [0, 2]}             | 0
          {a: 2, c: 1}                         | {a: [1, 2], c: 1}               | 1
          {$or: [{a: 2}]}                      | {a: [1, 2]}                     | -1
          {$and: [{a: 2}]}                     | {a: [1, 2]}                     | 1
          {a: {$ne: 5}}                        | {a: [1, 2]}                     | -1
          {a: {$size: 2}}                      | {a: [1, 2]}                     | -1
          {a: {$all: [1, 2]}}                  | {a: [1, 2]}                     | 1
          """)
  void position(String filter, String document, int expected) {
    var details = new MatchDetails();
    assertThat(MatchCases.parse(filter).matches(RawDocument.parse(document), details)).isTrue();
    assertThat(details.arrayIndex()).isEqualTo(expected);
    assertThat(details.hasArrayIndex()).isEqualTo(expected >= 0);
  }

  @Test
  void nothingIsLeftOfADocumentThatDoesNotMatch() {
    var details = new MatchDetails();
    MatchExpression filter = MatchCases.parse("{a: 2, b: 1}");
    assertThat(filter.matches(RawDocument.parse("{a: [1, 2], b: 1}"), details)).isTrue();
    assertThat(details.arrayIndex()).isEqualTo(1);
    assertThat(filter.matches(RawDocument.parse("{a: [2], b: 2}"), details)).isFalse();
    assertThat(details.hasArrayIndex()).isFalse();
    assertThat(filter.matches(RawDocument.parse("{a: 2, b: 1}"), details)).isTrue();
    assertThat(details.hasArrayIndex()).isFalse();
  }
}
