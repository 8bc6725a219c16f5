package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketStageTest {
  private static final List<RawDocument> DOCUMENTS =
      StageFixture.documents(
          "[{a: 0, s: 'a'}, {a: 9.5, s: 'B'}, {a: 10}, {a: {$numberLong: '19'}, s: 'c'}, {a: 20},"
              + " {a: -1}, {a: null}, {}, {a: 'x'}, {a: [15]}]");

  private static void check(String stage, String expected) {
    String pipeline = "[{$bucket: " + stage + "}]";
    assertThat(StageFixture.run(pipeline, DOCUMENTS)).isEqualTo(StageFixture.documents(expected));
    assertThat(StageFixture.runInFiles(pipeline, DOCUMENTS))
        .isEqualTo(StageFixture.documents(expected));
  }

  @Test
  void countsWhatLiesBetweenBoundaries() {
    check(
        "{groupBy: '$a', boundaries: [0, 10, 20], default: 'other'}",
        "[{_id: 0, count: 2}, {_id: 10, count: 2}, {_id: 'other', count: 6}]");
    check(
        "{groupBy: {$ifNull: [{$convert: {input: '$a', to: 'int', onError: 5}}, 5]}, boundaries:"
            + " [-1, 0, 5, {$add: [90, 9]}]}",
        "[{_id: -1, count: 1}, {_id: 0, count: 1}, {_id: 5, count: 8}]");
  }

  @Test
  void accumulatesWhatIsAskedFor() {
    check(
        "{groupBy: '$a', boundaries: [0, 10, 20], default: -99, output: {s: {$push: '$s'}, n:"
            + " {$sum: '$a'}}}",
        "[{_id: -99, s: [], n: 19}, {_id: 0, s: ['a', 'B'], n: 9.5},"
            + " {_id: 10, s: ['c'], n: {$numberLong: '29'}}]");
  }

  @Test
  void stringsLieWhereTheCollationPutsThem() {
    var pipeline =
        StageFixture.parse(
            "[{$bucket: {groupBy: '$s', boundaries: ['a', 'b', 'd'], default: null}}]",
            ExpressionCases.CONTEXT.withCollation(
                Collation.parse(RawDocument.parse("{locale: 'en', strength: 2}"))));
    assertThat(StageFixture.run(pipeline, DOCUMENTS, SortSpace.inMemory()))
        .isEqualTo(
            StageFixture.documents(
                "[{_id: null, count: 7}, {_id: 'a', count: 1}, {_id: 'b', count: 2}]"));
  }

  @Test
  void isShortForAGroupBySwitchAndASort() {
    var stages =
        StageFixture.parse(
                "[{$bucket: {groupBy: '$a', boundaries: [0, 10], default: 'x'}}]",
                ExpressionCases.CONTEXT)
            .stages();
    assertThat(stages.stream().map(Stage::explained).flatMap(List::stream))
        .containsExactly(
            RawDocument.parse(
                "{$group: {_id: {$switch: {branches: [{case: {$and: [{$gte: ['$a', {$const: 0}]},"
                    + " {$lt: ['$a', {$const: 10}]}]}, then: {$const: 0}}], default: {$const:"
                    + " 'x'}}}, count: {$sum: {$const: 1}}}}"),
            RawDocument.parse("{$sort: {sortKey: {_id: 1}}}"));
  }

  @Test
  void refuses() {
    StageFixture.checkErrors(
        DOCUMENTS,
        """
        [{$bucket: 1}] !! 40201 Argument to $bucket stage must be an object, but found type: int.
        [{$bucket: {groupBy: 'a', boundaries: [1, 2]}}] !! 40202 The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but found: "a".
        [{$bucket: {groupBy: {a: 1}, boundaries: [1, 2]}}] !! 40202 The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression, but found: { a: 1 }.
        [{$bucket: {groupBy: '$a', boundaries: 1}}] !! 40200 The $bucket 'boundaries' field must be an array, but found type: int.
        [{$bucket: {groupBy: '$a', boundaries: ['$a', 2]}}] !! 40191 The $bucket 'boundaries' field must be an array of constant values, but found value: "$a".
        [{$bucket: {groupBy: '$a', boundaries: [1]}}] !! 40192 The $bucket 'boundaries' field must have at least 2 values, but found 1 value(s).
        [{$bucket: {groupBy: '$a', boundaries: [1, 'x']}}] !! 40193 All values in the the 'boundaries' option to $bucket must have the same type. Found conflicting types int and string.
        [{$bucket: {groupBy: '$a', boundaries: [2, 1]}}] !! 40194 The 'boundaries' option to $bucket must be sorted, but elements 0 and 1 are not in ascending order (2 is not less than 1).
        [{$bucket: {groupBy: '$a', boundaries: [1, 1.0]}}] !! 40194 The 'boundaries' option to $bucket must be sorted, but elements 0 and 1 are not in ascending order (1 is not less than 1.0).
        [{$bucket: {groupBy: '$a', boundaries: [1, 2], default: '$a'}}] !! 40195 The $bucket 'default' field must be a constant expression, but found: "$a".
        [{$bucket: {groupBy: '$a', boundaries: [1, 2], output: 1}}] !! 40196 The $bucket 'output' field must be an object, but found type: int.
        [{$bucket: {groupBy: '$a', boundaries: [1, 2], x: 1}}] !! 40197 Unrecognized option to $bucket: x.
        [{$bucket: {groupBy: '$a'}}] !! 40198 $bucket requires 'groupBy' and 'boundaries' to be specified.
        [{$bucket: {boundaries: [1, 2]}}] !! 40198 $bucket requires 'groupBy' and 'boundaries' to be specified.
        [{$bucket: {groupBy: '$a', boundaries: [1, 3], default: 2}}] !! 40199 The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.
        [{$bucket: {groupBy: '$a', boundaries: [1, 3]}}] !! 40066 $switch could not find a matching branch for an input, and no default was specified.
        [{$bucket: {groupBy: '$a', boundaries: [1, 3], output: {x: 1}}}] !! 40234 The field 'x' must be an accumulator object
        """);
  }
}
