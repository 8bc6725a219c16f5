package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.query.expression.Dependencies;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A {@code $lookup} that does what the stages behind it ask for. */
class LookupFusionTest {
  private static LookupStage stage(String argument) {
    return (LookupStage) StageFixture.parse("[{$lookup: " + argument + "}]").stages().getFirst();
  }

  private static UnwindStage unwind(String argument) {
    return (UnwindStage) StageFixture.parse("[{$unwind: " + argument + "}]").stages().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '$r'
          {path: '$r', preserveNullAndEmptyArrays: true}
          {path: '$r', includeArrayIndex: 'i'}
          {path: '$r', includeArrayIndex: 'r.i', preserveNullAndEmptyArrays: true}
          """)
  void doesTheUnwindingThatFollows(String unwind) {
    var collections =
        TestCollections.inMemory()
            .with("f", "[{_id: 1, k: 1}, {_id: 2, k: 2}, {_id: 3, k: 1}, {_id: 4, k: [1, 2]}]");
    for (String lookup :
        List.of(
            "{from: 'f', localField: 'k', foreignField: 'k', as: 'r'}",
            "{from: 'f', localField: 'k', foreignField: 'k', as: 'r', pipeline: [{$match: {_id:"
                + " {$gt: 1}}}]}",
            "{from: 'f', let: {k: '$k'}, as: 'r', pipeline: [{$match: {$expr: {$eq: ['$k',"
                + " '$$k']}}}]}")) {
      List<RawDocument> input =
          StageFixture.documents("[{k: 1, r: 5}, {k: 3}, {k: 2}, {k: [1, 2]}]");
      LookupStage alone = stage(lookup);
      assertThat(alone.takesUnwind(unwind(unwind))).isTrue();
      LookupStage fused = alone.withUnwind(unwind(unwind));
      assertThat(fused.takesUnwind(unwind(unwind))).isFalse();
      List<RawDocument> expected =
          collections.run(
              new Pipeline(null, RawDocument.EMPTY, List.of(alone, unwind(unwind))), input);
      assertThat(
              collections.run(new Pipeline(null, RawDocument.EMPTY, List.<Stage>of(fused)), input))
          .isEqualTo(expected)
          .isNotEmpty();
    }
  }

  @Test
  void doesTheFilterThatFollows() {
    var collections =
        TestCollections.inMemory()
            .with("f", "[{_id: 1, k: 1}, {_id: 2, k: 1, x: 1}, {_id: 3, k: 2, x: 1}]");
    RawDocument filter = RawDocument.parse("{x: 1}");
    for (String lookup :
        List.of(
            "{from: 'f', localField: 'k', foreignField: 'k', as: 'r'}",
            "{from: 'f', localField: 'k', foreignField: 'k', as: 'r', pipeline: []}",
            "{from: 'f', let: {k: '$k'}, as: 'r', pipeline: [{$match: {$expr: {$eq: ['$k',"
                + " '$$k']}}}]}")) {
      LookupStage unwound = stage(lookup).withUnwind(unwind("'$r'"));
      assertThat(unwound.takesFilter()).isTrue();
      LookupStage fused = unwound.withFilter(filter).withFilter(RawDocument.parse("{_id: 2}"));
      assertThat(
              collections.run(
                  new Pipeline(null, RawDocument.EMPTY, List.<Stage>of(fused)),
                  StageFixture.documents("[{k: 1}, {k: 2}, {k: 3}]")))
          .containsExactly(RawDocument.parse("{k: 1, r: {_id: 2, k: 1, x: 1}}"));
    }
    assertThat(stage("{from: 'f', localField: 'k', foreignField: 'k', as: 'r'}").takesFilter())
        .isFalse();
  }

  @Test
  void saysWhatItReadsAndChanges() {
    LookupStage stage =
        stage(
            "{from: 'f', localField: 'a.b', foreignField: 'c', let: {x: '$d'}, as: 'r.s', pipeline:"
                + " []}");
    var dependencies = new Dependencies();
    assertThat(stage.addDependencies(dependencies)).isEqualTo(Stage.Sight.OF_INPUT);
    assertThat(dependencies.paths()).containsExactly("a.b", "d");
    assertThat(dependencies.needsWholeDocument()).isFalse();
    assertThat(stage.modifiedPaths()).isEqualTo(ModifiedPaths.of(Set.of("r.s")));
    assertThat(stage.withUnwind(unwind("{path: '$r.s', includeArrayIndex: 'i'}")).modifiedPaths())
        .isEqualTo(ModifiedPaths.of(Set.of("r.s", "i")));
  }

  @Test
  void explainedWithWhatItHasTakenIn() {
    LookupStage stage =
        stage("{from: 'f', localField: 'a', foreignField: 'b', as: 'r'}")
            .withUnwind(unwind("'$r'"))
            .withFilter(RawDocument.parse("{c: 1}"));
    assertThat(stage.explained())
        .containsExactly(
            RawDocument.parse(
                "{$lookup: {from: 'f', as: 'r', localField: 'a', foreignField: 'b', let: {},"
                    + " pipeline: [{$match: {c: 1}}],"
                    + " unwinding: {preserveNullAndEmptyArrays: false}}}"));
  }
}
