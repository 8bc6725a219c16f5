package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.query.expression.Dependencies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FacetStageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: [{$match: {n: 1}}], b: [{$count: 'all'}]} | {a: [{_id: 1, n: 1}, {_id: 3, n: [1, 2]}], b: [{all: 3}]}
          {a: []}                                       | {a: [{_id: 1, n: 1}, {_id: 2, n: null}, {_id: 3, n: [1, 2]}]}
          {a: [{$limit: 1}], b: [{$skip: 2}], c: [{$match: {n: 7}}]} | {a: [{_id: 1, n: 1}], b: [{_id: 3, n: [1, 2]}], c: []}
          {a: [{$unwind: '$n'}, {$project: {_id: 0}}], b: [{$sort: {_id: -1}}, {$limit: 1}]} | {a: [{n: 1}, {n: 1}, {n: 2}], b: [{_id: 3, n: [1, 2]}]}
          """)
  void runsSeveralPipelines(String argument, String expected) {
    String input = "[{_id: 1, n: 1}, {_id: 2, n: null}, {_id: 3, n: [1, 2]}]";
    for (var run : List.of(TestCollections.inMemory(), TestCollections.withMemory(100, true))) {
      assertThat(run.run("[{$facet: " + argument + "}]", input))
          .containsExactly(RawDocument.parse(expected));
      run.close();
      assertThat(run.openFiles()).isZero();
    }
  }

  @Test
  void givesADocumentEvenOfNothing() {
    assertThat(StageFixture.run("[{$facet: {a: [], b: [{$count: 'n'}]}}]", "[]"))
        .containsExactly(RawDocument.parse("{a: [], b: []}"));
  }

  @Test
  void keepsInFilesWhatExceedsItsMemory() {
    var input = new ArrayList<RawDocument>();
    for (int i = 0; i < 5000; i++) {
      input.add(RawDocument.parse("{_id: " + i + ", t: '" + "x".repeat(100) + "'}"));
    }
    var run = TestCollections.withMemory(50_000, true);
    assertThat(
            run.run(
                StageFixture.parse(
                    "[{$facet: {a: [{$limit: 1}, {$unset: 't'}], b: [{$count: 'n'}],"
                        + " c: [{$bucketAuto: {groupBy: '$_id', buckets: 1}}, {$unset: '_id'}]}}]"),
                input))
        .containsExactly(RawDocument.parse("{a: [{_id: 0}], b: [{n: 5000}], c: [{count: 5000}]}"));
    assertThat(run.filesCreated()).isGreaterThan(1);
    assertThat(run.openFiles()).isZero();
    var noFiles = TestCollections.withMemory(50_000, false);
    assertThatThrownBy(
            () ->
                noFiles.run(
                    StageFixture.parse(
                        "[{$facet: {a: [{$limit: 1}], b: [{$bucketAuto: {groupBy: '$_id', buckets:"
                            + " 1}}]}}]"),
                    input))
        .isInstanceOfSatisfying(
            CommandException.class,
            e ->
                assertThat(e.code())
                    .isEqualTo(ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED));
  }

  @Test
  void keepsNothingForPipelinesThatTakeDocumentsOneByOne() {
    var input = new ArrayList<RawDocument>();
    for (int i = 0; i < 5000; i++) {
      input.add(RawDocument.parse("{_id: " + i + ", t: '" + "x".repeat(100) + "', u: [1, 2]}"));
    }
    var run = TestCollections.withMemory(50_000, false);
    assertThat(
            run.run(
                StageFixture.parse(
                    "[{$facet: {a: [{$limit: 1}, {$unset: ['t', 'u']}], b: [{$count: 'n'}],"
                        + " c: [{$skip: 4999}, {$unset: ['t', 'u']}], d: [{$unwind: '$u'},"
                        + " {$sortByCount: '$u'}, {$sort: {_id: 1}}],"
                        + " e: [{$match: {_id: {$lt: 10}}}, {$sort: {_id: -1}}, {$limit: 2},"
                        + " {$project: {_id: 1}}]}}]"),
                input))
        .containsExactly(
            RawDocument.parse(
                "{a: [{_id: 0}], b: [{n: 5000}], c: [{_id: 4999}],"
                    + " d: [{_id: 1, count: 5000}, {_id: 2, count: 5000}],"
                    + " e: [{_id: 9}, {_id: 8}]}"));
  }

  @Test
  void refusesResultsThatAreTooLarge() {
    String documents = "[" + "{t: '" + "x".repeat(100_000) + "'}," + "{}]";
    String stage =
        "[{$facet: {a: [{$project: {t: 1, u: {$range: [0, 1100]}}}," + " {$unwind: '$u'}]}}]";
    assertThat(StageFixture.errorOf(stage, documents).code())
        .isEqualTo(ErrorCode.FACET_STAGE_TOO_LARGE);
  }

  @Test
  void needsWhatItsPipelinesNeed() {
    var stage = StageFixture.parse("[{$facet: {a: [{$project: {x: 1}}], b: [{$count: 'n'}]}}]");
    var dependencies = new Dependencies();
    stage.stages().getFirst().addDependencies(dependencies);
    assertThat(dependencies.needsWholeDocument()).isFalse();
    assertThat(dependencies.paths()).contains("x");
  }

  @Test
  void explained() {
    assertThat(StageFixture.explained("{$facet: {a: [{$skip: 1}], b: []}}"))
        .isEqualTo(
            RawDocument.parse(
                "{$facet: {a: [{$internalFacetTeeConsumer: {}}, {$skip: {$numberLong: '1'}}],"
                    + " b: [{$internalFacetTeeConsumer: {}}]}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                      | 40169
          {}                     | 40169
          []                     | 40169
          {a: 1}                 | 40170
          {a: {}}                | 40170
          {a: [1]}               | 40171
          {a: [{}]}              | 40323
          {'a.b': []}            | 16412
          {'$a': []}             | 16410
          {'': []}               | 15998
          {a: [{$facet: {b: []}}]} | 40600
          {a: [{$documents: []}]} | 40600
          {a: [{$geoNear: {near: [0, 0], distanceField: 'd'}}]} | 40600
          {a: [{$nonsense: 1}]}  | 40324
          """)
  void refuses(String argument, int code) {
    assertThat(StageFixture.errorOf("[{$facet: " + argument + "}]", "[]").code().code())
        .isEqualTo(code);
  }
}
