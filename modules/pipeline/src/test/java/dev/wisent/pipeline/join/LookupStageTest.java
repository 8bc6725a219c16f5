package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookupStageTest {
  private static final String BY_FIELDS =
      "{$lookup: {from: 'f', localField: '%s', foreignField: '%s', as: 'r'}}";

  private static List<Integer> ids(RawDocument joined) {
    var ids = new ArrayList<Integer>();
    var elements = joined.get("r").elements();
    while (elements.next()) {
      ids.add(elements.value().asDocument().get("_id").asInt32());
    }
    return ids;
  }

  private static List<Integer> matches(
      String local, String foreign, String localField, String foreignField) {
    String stage = "[" + BY_FIELDS.formatted(localField, foreignField) + "]";
    var collections = TestCollections.inMemory().with("f", foreign);
    var alone = ids(collections.run(stage, "[" + local + "]").getFirst());
    // In a batch, and through a table.
    var several = collections.run(stage, "[" + "{}, ".repeat(3) + local + "]");
    assertThat(ids(several.getLast())).isEqualTo(alone);
    var many = collections.run(stage, "[" + "{}, ".repeat(300) + local + "]");
    assertThat(ids(many.getLast())).isEqualTo(alone);
    assertThat(collections.open()).isZero();
    return alone;
  }

  private static final String FOREIGN =
      """
      [{_id: 1, b: 1}, {_id: 2, b: {$numberLong: '1'}}, {_id: 3, b: 'x'}, {_id: 4, b: null},
       {_id: 5}, {_id: 6, b: [1, 2]}, {_id: 7, b: [[1, 2]]}, {_id: 8, b: {c: 1}},
       {_id: 9, b: []}, {_id: 10, b: {$regularExpression: {pattern: 'x', options: ''}}},
       {_id: 11, b: [null]}, {_id: 12, b: [{c: 1}, {c: 2}]}, {_id: 13, b: {$operator: 1}}]\
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 1}              | a   | b   | 1 2 6
          {a: {$numberDouble: '1.0'}} | a | b | 1 2 6
          {a: 'x'}            | a   | b   | 3
          {a: null}           | a   | b   | 4 5 11
          {}                  | a   | b   | 4 5 11
          {a: []}             | a   | b   | 4 5 11
          {a: [1, 'x']}       | a   | b   | 1 2 3 6
          {a: [1, null]}      | a   | b   | 1 2 4 5 6 11
          {a: [[1, 2]]}       | a   | b   | 6 7
          {a: [[1, 2], 'x']}  | a   | b   | 3 6 7
          {a: {c: 1}}         | a   | b   | 8 12
          {a: 1}              | a   | b.c | 8 12
          {a: 2}              | a   | b.c | 12
          {a: {d: 'x'}}       | a.d | b   | 3
          {a: [{d: 'x'}, {d: 1}, 7]} | a.d | b | 1 2 3 6
          {a: [{e: 'x'}]}     | a.d | b   | 4 5 11
          {a: ['y', 'x']}     | a.1 | b   | 3
          {a: {$regularExpression: {pattern: 'x', options: ''}}} | a | b | 10
          {a: [{$regularExpression: {pattern: 'x', options: ''}}, 1]} | a | b | 1 2 6 10
          {a: {$operator: 1}} | a   | b   | 13
          {a: [{$operator: 1}, 'x']} | a | b | 3 13
          {a: 1}              | a   | b.0 | 6
          {a: 99}             | a   | b   | ``
          """)
  void joinsByEqualValues(String local, String localField, String foreignField, String expected) {
    assertThat(matches(local, FOREIGN, localField, foreignField)).isEqualTo(numbers(expected));
  }

  private static final String LONG = "x".repeat(300);

  private static final String UNUSUAL =
      """
      [{_id: 1, b: {$numberDouble: 'NaN'}}, {_id: 2, b: {$numberDecimal: 'NaN'}},
       {_id: 3, b: {$numberDecimal: '1'}}, {_id: 4, b: {$numberDecimal: '1.00'}},
       {_id: 5, b: {$numberDouble: '0.0'}}, {_id: 6, b: {$numberDouble: '-0.0'}},
       {_id: 7, b: {$numberDecimal: '0.1'}}, {_id: 8, b: {$numberDouble: '0.1'}},
       {_id: 9, b: 'LONG'}, {_id: 10, b: 'LONGy'}, {_id: 11, b: {$minKey: 1}},
       {_id: 12, b: {x: 1, y: {$numberLong: '2'}}}, {_id: 13, b: {y: 2, x: 1}},
       {_id: 14, b: [{$numberDouble: 'NaN'}, 'LONG']}, {_id: 15, b: {$numberDouble: 'Infinity'}},
       {_id: 16, b: {$numberDecimal: 'Infinity'}}, {_id: 17, b: {x: 'LONG'}},
       {_id: 18, b: {$numberLong: '9007199254740993'}},
       {_id: 19, b: {$numberDouble: '9007199254740992'}}]\
      """
          .replace("LONG", LONG);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$numberDouble: 'NaN'}            | 1 2 14
          {$numberDecimal: 'NaN'}           | 1 2 14
          1                                 | 3 4
          {$numberDecimal: '1.0'}           | 3 4
          0                                 | 5 6
          {$numberDecimal: '-0E+3'}         | 5 6
          {$numberDecimal: '0.10'}          | 7
          {$numberDouble: '0.1'}            | 8
          'LONG'                            | 9 14
          'LONGy'                           | 10
          'LONGz'                           | ``
          ['LONG', {$numberDouble: 'NaN'}]  | 1 2 9 14
          {x: 'LONG'}                       | 17
          {$minKey: 1}                      | 11
          {x: {$numberDouble: '1'}, y: 2}   | 12
          {$numberDouble: 'Infinity'}       | 15 16
          {$numberLong: '9007199254740992'} | 19
          {$numberDecimal: '9007199254740993'} | 18
          """)
  void joinsByUnusualValues(String local, String expected) {
    String document = "{a: " + local.replace("LONG", LONG) + "}";
    assertThat(matches(document, UNUSUAL, "a", "b")).isEqualTo(numbers(expected));
  }

  private static List<Integer> numbers(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(text.split(" ")).stream().map(Integer::valueOf).toList();
  }

  @Test
  void writesTheResultAnywhere() {
    var collections = TestCollections.inMemory().with("f", "[{_id: 1}]");
    String stage = "[{$lookup: {from: 'f', localField: 'x', foreignField: '_id', as: 'a.b'}}]";
    assertThat(collections.run(stage, "[{x: 1, a: {c: 1}}, {x: 2, a: 3}, {x: 1, a: {b: 7}}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{x: 1, a: {c: 1, b: [{_id: 1}]}}, {x: 2, a: {b: []}}, {x: 1, a: {b: [{_id:"
                    + " 1}]}}]"));
  }

  @Test
  void findsNothingInACollectionThatIsNotThere() {
    assertThat(
            TestCollections.inMemory()
                .run("[" + BY_FIELDS.formatted("a", "b") + "]", "[{a: 1}, {a: 2}]"))
        .isEqualTo(StageFixture.documents("[{a: 1, r: []}, {a: 2, r: []}]"));
  }

  @Test
  void runsAPipelineWithVariables() {
    var collections =
        TestCollections.inMemory().with("f", "[{_id: 1, n: 1}, {_id: 2, n: 5}, {_id: 3, n: 9}]");
    String stage =
        """
        [{$lookup: {from: 'f', let: {least: '$a', missing: '$none'}, as: 'r', pipeline: [
          {$match: {$expr: {$gte: ['$n', '$$least']}}},
          {$project: {_id: 0, n: 1, least: '$$least', gone: '$$missing'}}]}}]\
        """;
    assertThat(collections.run(stage, "[{a: 5}, {a: 9}, {a: 10}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: 5, r: [{n: 5, least: 5}, {n: 9, least: 5}]}, {a: 9, r: [{n: 9, least: 9}]},"
                    + " {a: 10, r: []}]"));
    assertThat(collections.open()).isLessThanOrEqualTo(1);
  }

  @Test
  void readsOnceWhatIsAlwaysTheSame() {
    var collections =
        TestCollections.inMemory().with("f", "[{_id: 1, n: 1}, {_id: 2, n: 5}, {_id: 3, n: 9}]");
    String constant = "[{$lookup: {from: 'f', as: 'r', pipeline: [{$match: {n: 5}}]}}]";
    assertThat(collections.run(constant, "[{}, {}, {}]"))
        .containsOnly(RawDocument.parse("{r: [{_id: 2, n: 5}]}"));
    assertThat(collections.opened()).isEqualTo(1);
    String partly =
        """
        [{$lookup: {from: 'f', as: 'r', let: {a: '$a'}, pipeline: [
          {$match: {n: {$gt: 1}}}, {$match: {$expr: {$eq: ['$n', '$$a']}}}]}}]\
        """;
    assertThat(collections.run(partly, "[{a: 1}, {a: 5}, {a: 9}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: 1, r: []}, {a: 5, r: [{_id: 2, n: 5}]}, {a: 9, r: [{_id: 3, n: 9}]}]"));
    assertThat(collections.opened()).isEqualTo(2);
  }

  @Test
  void readsAgainWhatThereIsNoRoomFor() {
    var collections =
        TestCollections.withMemory(10, false).with("f", "[{_id: 1, n: 1}, {_id: 2, n: 5}]");
    String constant = "[{$lookup: {from: 'f', as: 'r', pipeline: [{$match: {n: 5}}]}}]";
    assertThat(collections.run(constant, "[{}, {}, {}]"))
        .containsOnly(RawDocument.parse("{r: [{_id: 2, n: 5}]}"));
    assertThat(collections.opened()).isEqualTo(4);
  }

  @Test
  void joinsByFieldsAndPipeline() {
    var collections =
        TestCollections.inMemory()
            .with("f", "[{_id: 1, k: 1, n: 3}, {_id: 2, k: 1, n: 5}, {_id: 3, k: 2, n: 9}]");
    String stage =
        """
        [{$lookup: {from: 'f', localField: 'k', foreignField: 'k', let: {m: '$m'}, as: 'r',
          pipeline: [{$match: {$expr: {$gt: ['$n', '$$m']}}}, {$project: {n: 1}}]}}]\
        """;
    assertThat(collections.run(stage, "[{k: 1, m: 4}, {k: 1, m: 0}, {k: 2, m: 10}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{k: 1, m: 4, r: [{_id: 2, n: 5}]}, {k: 1, m: 0, r: [{_id: 1, n: 3}, {_id: 2, n:"
                    + " 5}]}, {k: 2, m: 10, r: []}]"));
  }

  @Test
  void joinsWithDocumentsOfItsOwn() {
    String stage =
        """
        [{$lookup: {as: 'r', let: {a: '$a'}, pipeline: [
          {$documents: [{n: 1}, {n: '$$a'}]}, {$match: {n: {$gt: 1}}}]}}]\
        """;
    assertThat(TestCollections.inMemory().run(stage, "[{a: 2}, {a: 0}]"))
        .isEqualTo(StageFixture.documents("[{a: 2, r: [{n: 2}]}, {a: 0, r: []}]"));
    String byFields =
        """
        [{$lookup: {as: 'r', localField: 'a', foreignField: 'n', pipeline: [
          {$documents: [{n: 1}, {n: 2}]}]}}]\
        """;
    assertThat(TestCollections.inMemory().run(byFields, "[{a: 2}, {a: 0}]"))
        .isEqualTo(StageFixture.documents("[{a: 2, r: [{n: 2}]}, {a: 0, r: []}]"));
  }

  @Test
  void nestsWithVariablesOfTheOuterStage() {
    var collections =
        TestCollections.inMemory().with("f", "[{_id: 1}, {_id: 2}]").with("g", "[{_id: 7, x: 3}]");
    String stage =
        """
        [{$lookup: {from: 'f', let: {a: '$a'}, as: 'r', pipeline: [
          {$lookup: {from: 'g', let: {id: '$_id'}, as: 's', pipeline: [
            {$match: {$expr: {$eq: ['$x', {$add: ['$$a', '$$id']}]}}}]}}]}}]\
        """;
    assertThat(collections.run(stage, "[{a: 1}, {a: 2}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: 1, r: [{_id: 1, s: []}, {_id: 2, s: [{_id: 7, x: 3}]}]},"
                    + " {a: 2, r: [{_id: 1, s: [{_id: 7, x: 3}]}, {_id: 2, s: []}]}]"));
  }

  @Test
  void refusesResultsThatAreTooLarge() {
    RawDocument large = RawDocument.parse("{k: 1, t: '" + "x".repeat(10 << 20) + "'}");
    var collections = TestCollections.inMemory().with("f", Collections.nCopies(11, large));
    String lookup = BY_FIELDS.formatted("k", "k");
    assertThatThrownBy(() -> collections.run("[" + lookup + "]", "[{k: 1}]"))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LOOKUP_STAGE_TOO_LARGE))
        .hasMessage(
            "Total size of documents in f matching pipeline's $lookup stage exceeds "
                + Limits.GATHERED_BYTES_MAX
                + " bytes");
  }

  @Test
  void gathersMoreThanADocumentMayHaveWhereLaterStagesMakeLessOfIt() {
    RawDocument large = RawDocument.parse("{k: 1, t: '" + "x".repeat(10 << 20) + "'}");
    var collections = TestCollections.inMemory().with("f", Collections.nCopies(2, large));
    String lookup = BY_FIELDS.formatted("k", "k");
    assertThat(
            collections.run("[" + lookup + ", {$project: {n: {$size: '$r'}}}]", "[{_id: 1, k: 1}]"))
        .isEqualTo(StageFixture.documents("[{_id: 1, n: 2}]"));
  }
}
