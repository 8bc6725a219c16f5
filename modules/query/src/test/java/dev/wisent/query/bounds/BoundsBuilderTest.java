package dev.wisent.query.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.path.FieldPath;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions and their bounds, printed as explain prints them. */
class BoundsBuilderTest {
  private static String bounds(String path, String filter, long arrayParts, boolean onlyPresent) {
    MatchExpression condition =
        MatchNormalForm.of(
            MatchParser.parse(RawDocument.parse(filter), QueryContext.of(() -> 0, () -> 0)));
    var part =
        new KeyPart(
            path, FieldPath.of(path), KeyPart.Kind.VALUE, false, arrayParts, onlyPresent, null);
    PredicateBounds bounds = BoundsBuilder.of(condition, part);
    return bounds == null ? "none" : text(bounds) + " " + bounds.tightness();
  }

  private static String text(PredicateBounds bounds) {
    if (bounds.intervals().isEmpty()) {
      return "nothing";
    }
    return bounds.intervals().stream()
        .map(
            interval ->
                (interval.lowInclusive() ? "[" : "(")
                    + ValueText.of(interval.low())
                    + ", "
                    + ValueText.of(interval.high())
                    + (interval.highInclusive() ? "]" : ")"))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 5}                                 | [5, 5] EXACT
          {a: 'x'}                               | ["x", "x"] EXACT
          {a: {b: 1}}                            | [{ b: 1 }, { b: 1 }] EXACT
          {a: null}                              | [null, null] EXACT
          {a: [1, 2]}                            | [1, 1] [[ 1, 2 ], [ 1, 2 ]] FETCH
          {a: []}                                | [undefined, undefined] [[], []] FETCH
          {a: {$gt: 5}}                          | (5, inf.0] EXACT
          {a: {$gte: 5}}                         | [5, inf.0] EXACT
          {a: {$lt: 5}}                          | [-inf.0, 5) EXACT
          {a: {$lte: 5}}                         | [-inf.0, 5] EXACT
          {a: {$lt: NaN}}                        | nothing EXACT
          {a: {$lte: NaN}}                       | [nan.0, nan.0] EXACT
          {a: {$gt: 'x'}}                        | ("x", {}) EXACT
          {a: {$lt: 'x'}}                        | ["", "x") EXACT
          {a: {$gt: {b: 1}}}                     | ({ b: 1 }, []) EXACT
          {a: {$lt: true}}                       | [false, true) EXACT
          {a: {$gte: null}}                      | [null, null] EXACT
          {a: {$gt: null}}                       | nothing EXACT
          {a: {$gt: [1]}}                        | [MinKey, MaxKey] FETCH
          {a: {$gt: {$minKey: 1}}}               | (MinKey, MaxKey] EXACT
          {a: {$gte: {$minKey: 1}}}              | [MinKey, MaxKey] EXACT
          {a: {$lt: {$minKey: 1}}}               | nothing EXACT
          {a: {$lte: {$minKey: 1}}}              | [MinKey, MinKey] EXACT
          {a: {$lt: {$maxKey: 1}}}               | [MinKey, MaxKey) EXACT
          {a: {$gte: {$maxKey: 1}}}              | [MaxKey, MaxKey] EXACT
          {a: {$in: [3, 1, 2]}}                  | [1, 1] [2, 2] [3, 3] EXACT
          {a: {$in: [null, 1]}}                  | [null, null] [1, 1] EXACT
          {a: {$in: [/^ab/, 1]}}                 | [1, 1] ["ab", "ac") [/^ab/, /^ab/] EXACT
          {a: /^ab/}                             | ["ab", "ac") [/^ab/, /^ab/] EXACT
          {a: /^ab*/}                            | ["a", "b") [/^ab*/, /^ab*/] KEY
          {a: /ab/}                              | ["", {}) [/ab/, /ab/] KEY
          {a: /^ab/i}                            | ["", {}) [/^ab/i, /^ab/i] KEY
          {a: {$exists: true}}                   | [MinKey, MaxKey] FETCH
          {a: {$exists: false}}                  | [null, null] FETCH
          {a: {$ne: 5}}                          | [MinKey, 5) (5, MaxKey] EXACT
          {a: {$ne: null}}                       | [MinKey, null) (null, MaxKey] EXACT
          {a: {$nin: [1, 2]}}                    | [MinKey, 1) (1, 2) (2, MaxKey] EXACT
          {a: {$not: {$gt: 5}}}                  | [MinKey, 5] (inf.0, MaxKey] EXACT
          {a: {$not: {$gt: 5, $lt: 9}}}          | [MinKey, 5] [9, MaxKey] EXACT
          {a: {$not: /^ab/}}                     | none
          {a: {$ne: [1]}}                        | none
          {a: {$nin: [[1], 2]}}                  | none
          {a: {$type: 'number'}}                 | [nan.0, inf.0] EXACT
          {a: {$type: 'int'}}                    | [nan.0, inf.0] KEY
          {a: {$type: 'string'}}                 | ["", {}) KEY
          {a: {$type: 'object'}}                 | [{}, []) EXACT
          {a: {$type: 'array'}}                  | [MinKey, MaxKey] FETCH
          {a: {$type: 'null'}}                   | [null, null] FETCH
          {a: {$type: ['bool', 'minKey']}}       | [MinKey, MinKey] [false, true] EXACT
          {a: {$mod: [2, 0]}}                    | [nan.0, inf.0] KEY
          {a: {$size: 2}}                        | none
          {a: {$elemMatch: {$gt: 1, $lt: 5}}}    | (1, 5) FETCH
          {a: {$elemMatch: {$ne: 1, $lt: 5}}}    | [-inf.0, 1) (1, 5) FETCH
          {a: {$elemMatch: {$size: 1}}}          | none
          {a: {$elemMatch: {$elemMatch: {$eq: 5}}}} | [[], BinData(0, )) FETCH
          {a: {$elemMatch: {$elemMatch: {$elemMatch: {$gt: 5}}}}} | [[], BinData(0, )) FETCH
          {a: {$elemMatch: {$elemMatch: {b: 5}}}} | none
          {a: {$elemMatch: {$not: {$elemMatch: {$eq: 5}}}}} | none
          """)
  void aConditionGivesBounds(String filter, String expected) {
    assertThat(bounds("a", filter, 0, false)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 5}                                 | [5, 5] EXACT
          {a: null}                              | [null, null] FETCH
          {a: {$gt: 5}}                          | (5, inf.0] EXACT
          {a: {$gt: {$minKey: 1}}}               | [MinKey, MaxKey] FETCH
          {a: {$lt: {$maxKey: 1}}}               | [MinKey, MaxKey] FETCH
          {a: {$ne: 5}}                          | [MinKey, 5) (5, MaxKey] FETCH
          {a: {$ne: null}}                       | [MinKey, null) (null, MaxKey] FETCH
          {a: {$not: {$gt: 5, $lt: 9}}}          | none
          {a: {$elemMatch: {$gt: 1, $lt: 5}}}    | (1, 5) FETCH
          """)
  void arraysMakeBoundsLessTight(String filter, String expected) {
    assertThat(bounds("a", filter, 1, false)).isEqualTo(expected);
  }

  /** An empty array on the way has the key null, though no condition has seen a null there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'a.b': {$ne: null}}     | none
          {'a.b': {$ne: 5}}        | [MinKey, 5) (5, MaxKey] FETCH
          {'a.b': {$exists: 0}}    | [null, null] FETCH
          """)
  void arraysOnTheWayHaveNullsOfTheirOwn(String filter, String expected) {
    assertThat(bounds("a.b", filter, 1, false)).isEqualTo(expected);
  }

  /** A position is also a name, under which there is nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'a.0': 5}                            | [5, 5] EXACT
          {'a.0': null}                         | none
          {'a.0': {$ne: 5}}                     | [MinKey, 5) (5, MaxKey] FETCH
          {'a.0': {$ne: null}}                  | none
          {'a.0': {$nin: [1, null]}}            | none
          {'a.0': {$elemMatch: {$gt: 1}}}       | none
          """)
  void positionsInArraysAreNamesToo(String filter, String expected) {
    assertThat(bounds("a.0", filter, 0, false)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$exists: true}}     | [MinKey, MaxKey] EXACT
          """)
  void aSparseIndexKnowsWhatIsThere(String filter, String expected) {
    assertThat(bounds("a", filter, 0, true)).isEqualTo(expected);
  }
}
