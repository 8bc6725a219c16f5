package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnionWithStageTest {
  private static final String OTHERS = "[{_id: 7, n: 1}, {_id: 8, n: null}, {_id: 9, n: [2]}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$unionWith: 'f'}]                       | [{_id: 1}, {_id: 7, n: 1}, {_id: 8, n: null}, {_id: 9, n: [2]}]
          [{$unionWith: {coll: 'f'}}]               | [{_id: 1}, {_id: 7, n: 1}, {_id: 8, n: null}, {_id: 9, n: [2]}]
          [{$unionWith: {coll: 'f', pipeline: [{$match: {n: 2}}, {$project: {n: 1, _id: 0}}]}}] | [{_id: 1}, {n: [2]}]
          [{$unionWith: {pipeline: [{$documents: [{a: 1}, {a: {$add: [1, 1]}}]}]}}] | [{_id: 1}, {a: 1}, {a: 2}]
          [{$unionWith: {coll: 'f', pipeline: [{$unionWith: 'f'}, {$match: {n: 1}}]}}] | [{_id: 1}, {_id: 7, n: 1}, {_id: 7, n: 1}]
          [{$unionWith: 'missing'}]                 | [{_id: 1}]
          [{$unionWith: 'f'}, {$match: {n: 1}}]     | [{_id: 7, n: 1}]
          """)
  void addsDocuments(String stages, String expected) {
    var collections = TestCollections.inMemory().with("f", OTHERS);
    assertThat(collections.run(stages, "[{_id: 1}]")).isEqualTo(StageFixture.documents(expected));
    assertThat(collections.open()).isZero();
  }

  @Test
  void readsTheOthersOnlyWhenTheyAreWanted() {
    var collections = TestCollections.inMemory().with("f", OTHERS);
    assertThat(collections.run("[{$unionWith: 'f'}, {$limit: 1}]", "[{_id: 1}, {_id: 2}]"))
        .hasSize(1);
    assertThat(collections.opened()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'f'                  | {coll: 'f', pipeline: []}
          {coll: 'f', pipeline: [{$skip: 1}]} | {coll: 'f', pipeline: [{$skip: {$numberLong: '1'}}]}
          """)
  void explained(String argument, String expected) {
    assertThat(StageFixture.explained("{$unionWith: " + argument + "}"))
        .isEqualTo(RawDocument.parse("{$unionWith: " + expected + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                     | 9     | the $unionWith stage specification must be an object or string, but found int
          ['f']                 | 9     | the $unionWith stage specification must be an object or string, but found array
          {}                    | 9     | $unionWith stage without explicit collection must have a pipeline with $documents as first stage
          {pipeline: []}        | 9     | $unionWith stage without explicit collection must have a pipeline with $documents as first stage
          {pipeline: [{$match: {}}]} | 9 | $unionWith stage without explicit collection must have a pipeline with $documents as first stage
          {coll: 1}             | 14    | BSON field '$unionWith.coll' is the wrong type 'int', expected type 'string'
          {coll: 'f', x: 1}     | 40415 | BSON field '$unionWith.x' is an unknown field.
          {coll: 'f', pipeline: 1} | 14 | 'pipeline' option must be specified as an array
          {coll: 'f', pipeline: [{$nonsense: 1}]} | 40324 | Unrecognized pipeline stage name: '$nonsense'
          ''                    | 73    | invalid $unionWith namespace: `` ``
          """)
  void refuses(String argument, int code, String message) {
    var error = StageFixture.errorOf("[{$unionWith: " + argument + "}]", "[]");
    assertThat(error.code().code()).isEqualTo(code);
    assertThat(error.getMessage().strip()).isEqualTo(message.replace("`", "").strip());
  }
}
