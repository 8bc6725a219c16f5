package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.UnwindStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphLookupStageTest {
  private static final String STAGE =
      "[{$graphLookup: {from: 'f', startWith: %s, connectFromField: 'to', connectToField: '_id',"
          + " as: 'r'%s}}]";

  private static List<Integer> reached(String foreign, String input, String start, String more) {
    var collections = TestCollections.inMemory().with("f", foreign);
    var ids = new ArrayList<Integer>();
    RawDocument result =
        collections.run(STAGE.formatted(start, more), "[" + input + "]").getFirst();
    var elements = result.get("r").elements();
    while (elements.next()) {
      ids.add(elements.value().asDocument().get("_id").asInt32());
    }
    assertThat(collections.open()).isZero();
    return ids;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 1}       | '$a'      | ``                  | 1 2 3
          {a: 1}       | '$a'      | , maxDepth: 0       | 1
          {a: 1}       | '$a'      | , maxDepth: 1       | 1 2
          {a: [2, 4]}  | '$a'      | ``                  | 2 4 3 5 1
          {a: 1}       | 3         | ``                  | 3 1 2
          {}           | '$a'      | ``                  |
          {a: null}    | '$a'      | ``                  |
          {a: []}      | '$a'      | ``                  |
          {a: 99}      | '$a'      | ``                  |
          {a: 1}       | '$a'      | , restrictSearchWithMatch: {n: {$ne: 2}} | 1
          {a: 4}       | '$a'      | , maxDepth: {$numberDouble: '1.0'}      | 4 5
          """)
  void followsValues(String input, String start, String more, String expected) {
    String foreign =
        "[{_id: 1, to: 2}, {_id: 2, to: 3, n: 2}, {_id: 3, to: [1, 2]}, {_id: 4, to: [5, null]},"
            + " {_id: 5}]";
    List<Integer> ids =
        expected == null
            ? List.of()
            : List.of(expected.split(" ")).stream().map(Integer::valueOf).toList();
    assertThat(reached(foreign, input, start, more)).isEqualTo(ids);
  }

  @Test
  void connectsNullOnlyWithNull() {
    var collections =
        TestCollections.inMemory().with("f", "[{_id: 1, k: null}, {_id: 2}, {_id: 3, k: 3}]");
    String stage =
        "[{$graphLookup: {from: 'f', startWith: '$a', connectFromField: 'x', connectToField: 'k',"
            + " as: 'r'}}]";
    assertThat(collections.run(stage, "[{a: null}, {a: [null, 3]}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: null, r: [{_id: 1, k: null}]},"
                    + " {a: [null, 3], r: [{_id: 1, k: null}, {_id: 3, k: 3}]}]"));
  }

  @Test
  void tellsTheDistance() {
    var collections = TestCollections.inMemory().with("f", "[{_id: 1, to: 2}, {_id: 2, to: 1}]");
    assertThat(collections.run(STAGE.formatted("'$a'", ", depthField: 'd.e'"), "[{a: 2}]"))
        .containsExactly(
            RawDocument.parse(
                "{a: 2, r: [{_id: 2, to: 1, d: {e: {$numberLong: '0'}}},"
                    + " {_id: 1, to: 2, d: {e: {$numberLong: '1'}}}]}"));
    // All of one distance are read at once, and once for nothing more.
    assertThat(collections.opened()).isEqualTo(3);
  }

  @Test
  void doesTheUnwindingThatFollows() {
    var collections = TestCollections.inMemory().with("f", "[{_id: 1, to: 2}, {_id: 2, to: 1}]");
    for (String argument :
        List.of("'$r'", "{path: '$r', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true}")) {
      Pipeline pipeline =
          StageFixture.parse(
              STAGE.formatted("'$a'", "").replace("}}]", "}}, {$unwind: " + argument + "}]"));
      var stage = (GraphLookupStage) pipeline.stages().getFirst();
      var unwind = (UnwindStage) pipeline.stages().getLast();
      assertThat(stage.takesUnwind(unwind)).isTrue();
      List<RawDocument> input = StageFixture.documents("[{a: 1}, {a: 9}, {a: [2]}]");
      assertThat(
              collections.run(
                  new Pipeline(null, RawDocument.EMPTY, List.of(stage.withUnwind(unwind))), input))
          .isEqualTo(collections.run(pipeline, input));
    }
  }

  @Test
  void failsBeyondItsMemory() {
    var collections =
        TestCollections.withMemory(1000, true)
            .with("f", "[{_id: 1, to: 1, t: '" + "x".repeat(1000) + "'}]");
    assertThatThrownBy(() -> collections.run(STAGE.formatted("1", ""), "[{}]"))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.GRAPH_LOOKUP_STAGE_MEMORY))
        .hasMessage("$graphLookup reached maximum memory consumption");
  }

  @Test
  void explainedAndModifiedPaths() {
    String stage =
        "{$graphLookup: {from: 'f', startWith: '$a', connectFromField: 'x', connectToField: 'y',"
            + " as: 'r', maxDepth: 3, depthField: 'd', restrictSearchWithMatch: {n: 1}}}";
    assertThat(StageFixture.explained(stage))
        .isEqualTo(
            RawDocument.parse(
                "{$graphLookup: {from: 'f', as: 'r', connectToField: 'y', connectFromField: 'x',"
                    + " startWith: '$a', depthField: 'd', maxDepth: {$numberLong: '3'},"
                    + " restrictSearchWithMatch: {n: 1}}}"));
    assertThat(StageFixture.parse("[" + stage + "]").stages().getFirst().modifiedPaths())
        .isEqualTo(ModifiedPaths.of(Set.of("r")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                            | 9     | the $graphLookup stage specification must be an object, but found int
          {from: 1}                    | 9     | $graphLookup 'from' field must be a string, but found int
          {from: 'f'}                  | 40105 | $graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.
          {from: 'f', as: 1}           | 40103 | expected string as argument for as, found: int
          {from: 'f', connectToField: 1} | 40103 | expected string as argument for connectToField, found: int
          {from: 'f', maxDepth: 'x'}   | 40100 | maxDepth must be numeric, found type: string
          {from: 'f', maxDepth: -1}    | 40101 | maxDepth requires a nonnegative argument, found: -1
          {from: 'f', maxDepth: 1.5}   | 40102 | maxDepth could not be represented as a long long: 1
          {from: 'f', restrictSearchWithMatch: 1} | 40185 | restrictSearchWithMatch must be an object, found int
          {from: 'f', restrictSearchWithMatch: {$nonsense: 1}} | 2 | Failed to parse 'restrictSearchWithMatch' option to $graphLookup :: caused by :: unknown top level operator: $nonsense. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {from: 'f', other: 1}        | 40104 | Unknown argument to $graphLookup: other
          {from: 'f', depthField: '$d'} | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkError("[{$graphLookup: " + argument + "}]", "[]", code, message);
  }
}
