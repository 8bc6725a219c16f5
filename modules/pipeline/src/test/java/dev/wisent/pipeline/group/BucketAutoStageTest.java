package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.query.expression.ExpressionCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketAutoStageTest {
  private static List<RawDocument> numbers(double... values) {
    var documents = new ArrayList<RawDocument>();
    for (double value : values) {
      documents.add(RawDocument.parse("{a: " + value + "}"));
    }
    return documents;
  }

  private static void check(String stage, List<RawDocument> documents, String expected) {
    String pipeline = "[{$bucketAuto: " + stage + "}]";
    assertThat(StageFixture.run(pipeline, documents))
        .as(stage)
        .isEqualTo(StageFixture.documents(expected));
    assertThat(StageFixture.runInFiles(pipeline, documents))
        .as(stage)
        .isEqualTo(StageFixture.documents(expected));
  }

  @Test
  void bucketsHoldAboutAsMany() {
    List<RawDocument> documents =
        StageFixture.documents("[{a: 5}, {a: 1}, {a: 4}, {a: 2}, {a: 3}, {a: 7}, {a: 6}]");
    check(
        "{groupBy: '$a', buckets: 3}",
        documents,
        "[{_id: {min: 1, max: 3}, count: 2}, {_id: {min: 3, max: 5}, count: 2},"
            + " {_id: {min: 5, max: 7}, count: 3}]");
    check(
        "{groupBy: '$a', buckets: 99, output: {s: {$push: '$a'}}}",
        StageFixture.documents("[{a: 2}, {a: 1}]"),
        "[{_id: {min: 1, max: 2}, s: [1]}, {_id: {min: 2, max: 2}, s: [2]}]");
    check("{groupBy: '$a', buckets: 2}", List.of(), "[]");
  }

  @Test
  void equalValuesStayTogetherAndMissingOnesAreNull() {
    check(
        "{groupBy: '$a', buckets: 2}",
        StageFixture.documents("[{a: 'x'}, {a: 1}, {a: 1.0}, {}, {a: 1}, {a: null}, {a: [2]}]"),
        "[{_id: {min: null, max: 'x'}, count: 5}, {_id: {min: 'x', max: [2]}, count: 2}]");
  }

  @Test
  void boundariesAreRounded() {
    List<RawDocument> documents = numbers(0, 3, 12, 17, 24, 55, 99);
    check(
        "{groupBy: '$a', buckets: 3, granularity: 'R5'}",
        documents,
        "[{_id: {min: 0.0, max: 4.0}, count: 2}, {_id: {min: 4.0, max: 25.0}, count: 3},"
            + " {_id: {min: 25.0, max: 100.0}, count: 2}]");
    check(
        "{groupBy: '$a', buckets: 3, granularity: 'POWERSOF2'}",
        documents,
        "[{_id: {min: 0.0, max: 4}, count: 2}, {_id: {min: 4, max: 32}, count: 3},"
            + " {_id: {min: 32, max: 128}, count: 2}]");
    check(
        "{groupBy: '$a', buckets: 5, granularity: '1-2-5'}",
        numbers(0, 0, 0, 7, 8),
        "[{_id: {min: 0.0, max: 5.0}, count: 3}, {_id: {min: 5.0, max: 10.0}, count: 2}]");
    check(
        "{groupBy: '$a', buckets: 1, granularity: 'E6'}",
        StageFixture.documents("[{a: {$numberDecimal: '0.8'}}, {a: {$numberDecimal: '5'}}]"),
        "[{_id: {min: {$numberDecimal: '0.68'}, max: {$numberDecimal: '6.8'}}, count: 2}]");
    check(
        "{groupBy: '$a', buckets: 1, granularity: 'POWERSOF2'}",
        StageFixture.documents("[{a: {$numberDecimal: '0.5'}}, {a: {$numberDecimal: '5'}}]"),
        "[{_id: {min: {$numberDecimal: '0.25'}, max: {$numberDecimal: '8'}}, count: 2}]");
  }

  @Test
  void explainShowsIt() {
    var stage =
        StageFixture.parse(
                "[{$bucketAuto: {groupBy: '$a', buckets: 3.0, granularity: 'R5'}}]",
                ExpressionCases.CONTEXT)
            .stages()
            .getFirst();
    assertThat(stage.explained())
        .containsExactly(
            RawDocument.parse(
                "{$bucketAuto: {groupBy: '$a', buckets: 3, granularity: 'R5', output: {count:"
                    + " {$sum: {$const: 1}}}}}"));
  }

  @Test
  void refuses() {
    StageFixture.checkErrors(
        StageFixture.documents("[{a: 'x', n: {$numberDouble: 'NaN'}, neg: -1}]"),
        """
        [{$bucketAuto: 1}] !! 40240 The argument to $bucketAuto must be an object, but found type: int
        [{$bucketAuto: {groupBy: 'a', buckets: 1}}] !! 40239 The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object, but found: "a"
        [{$bucketAuto: {groupBy: {a: 1}, buckets: 1}}] !! 40239 The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object, but found: { a: 1 }
        [{$bucketAuto: {groupBy: '$a', buckets: 'x'}}] !! 40241 The $bucketAuto 'buckets' field must be a numeric value, but found type: string
        [{$bucketAuto: {groupBy: '$a', buckets: 1.5}}] !! 40242 The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found 1.5
        [{$bucketAuto: {groupBy: '$a', buckets: 0}}] !! 40243 The $bucketAuto 'buckets' field must be greater than 0, but found: 0
        [{$bucketAuto: {groupBy: '$a', buckets: 1, output: 1}}] !! 40244 The $bucketAuto 'output' field must be an object, but found type: int
        [{$bucketAuto: {groupBy: '$a', buckets: 1, x: 1}}] !! 40245 Unrecognized option to $bucketAuto: x
        [{$bucketAuto: {groupBy: '$a'}}] !! 40246 $bucketAuto requires 'groupBy' and 'buckets' to be specified
        [{$bucketAuto: {buckets: 1}}] !! 40246 $bucketAuto requires 'groupBy' and 'buckets' to be specified
        [{$bucketAuto: {groupBy: '$a', buckets: 1, granularity: 1}}] !! 40261 The $bucketAuto 'granularity' field must be a string, but found type: int
        [{$bucketAuto: {groupBy: '$a', buckets: 1, granularity: 'R6'}}] !! 40257 Unknown rounding granularity 'R6'
        [{$bucketAuto: {groupBy: '$a', buckets: 1, granularity: 'R5'}}] !! 40258 $bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type: string
        [{$bucketAuto: {groupBy: '$n', buckets: 1, granularity: 'R5'}}] !! 40259 $bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN
        [{$bucketAuto: {groupBy: '$neg', buckets: 1, granularity: 'R5'}}] !! 40260 $bucketAuto can specify a 'granularity' with non-negative numbers only, but found a negative number
        [{$bucketAuto: {groupBy: '$a', buckets: 1, output: {x: {$firstN: {n: '$a', input: 1}}}}}] !! 4544714 Can't refer to the group key in $bucketAuto
        """);
  }
}
