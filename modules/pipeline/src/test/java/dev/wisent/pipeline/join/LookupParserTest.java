package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code $lookup} takes and refuses. */
class LookupParserTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {from: 'f', localField: 'a', foreignField: 'b', as: 'r'} | {from: 'f', as: 'r', localField: 'a', foreignField: 'b'}
          {from: 'f', let: {x: '$a'}, pipeline: [{$match: {b: 1}}], as: 'r'} | {from: 'f', as: 'r', let: {x: '$a'}, pipeline: [{$match: {b: 1}}]}
          {from: {db: 'local', coll: 'oplog.rs'}, pipeline: [], as: 'r'} | {from: {db: 'local', coll: 'oplog.rs'}, as: 'r', let: {}, pipeline: []}
          """)
  void explained(String argument, String expected) {
    assertThat(StageFixture.explained("{$lookup: " + argument + "}"))
        .isEqualTo(RawDocument.parse("{$lookup: " + expected + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1    | 9 | the $lookup stage specification must be an object, but found int
          {}   | 9 | must specify 'pipeline' when 'from' is empty
          {from: 'f'} | 9 | must specify 'as' field for a $lookup
          {from: 'f', as: 'r'} | 9 | $lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified
          {from: 'f', as: 'r', localField: 'a'} | 9 | $lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified
          {from: 'f', as: 'r', localField: 'a', pipeline: []} | 9 | $lookup requires both or neither of 'localField' and 'foreignField' to be specified
          {from: 'f', as: 'r', localField: 'a', foreignField: 'b', let: {}} | 9 | $lookup with a 'let' argument must also specify 'pipeline'
          {from: 'f', as: 1} | 9 | $lookup argument 'as' must be a string, found as: 1: int
          {from: 'f', as: 'r', other: 'x'} | 9 | unknown argument to $lookup: other
          {from: 'f', as: 'r', pipeline: 1} | 14 | 'pipeline' option must be specified as an array
          {from: 'f', as: 'r', pipeline: [1]} | 14 | Each element of the 'pipeline' array must be an object
          {from: 'f', as: 'r', pipeline: [{$nonsense: 1}]} | 40324 | Unrecognized pipeline stage name: '$nonsense'
          {from: 1, as: 'r', pipeline: []} | 9 | $lookup 'from' field must be a string, but found int
          {from: {db: 'x', coll: 'y'}, as: 'r', pipeline: []} | 9 | $lookup with syntax {from: {db:<>, coll:<>},..} is not supported for db: x and coll: y
          {from: 'f', as: 'r', let: 1, pipeline: []} | 9 | $lookup argument 'let: 1' must be an object, is type int
          {from: 'f', as: 'r', let: {X: 1}, pipeline: []} | 9 | 'X' starts with an invalid character for a user variable name
          {from: 'f', as: 'r', let: {x: '$$y'}, pipeline: []} | 17276 | Use of undefined variable: y
          {from: 'f', as: 'r', pipeline: [{$project: {a: '$$y'}}]} | 17276 | Invalid $project :: caused by :: Use of undefined variable: y
          {as: 'r', pipeline: [{$match: {}}]} | 9 | $lookup stage without explicit collection must have a pipeline with $documents as first stage
          {from: 'f', as: '$r', localField: 'a', foreignField: 'b'} | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {from: 'f', as: 'r', localField: '$a', foreignField: 'b'} | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {from: 'f', as: 'r', localField: 'a.', foreignField: 'b'} | 40353 | FieldPath must not end with a '.'.
          {from: '.f', as: 'r', localField: 'a', foreignField: 'b'} | 73 | invalid $lookup namespace: .f
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkError("[{$lookup: " + argument + "}]", "[]", code, message);
  }

  @Test
  void refusesToNestTooDeep() {
    assertThat(nested(20).stages()).hasSize(1);
    assertThatThrownBy(() -> nested(21))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MAX_SUB_PIPELINE_DEPTH_EXCEEDED))
        .hasMessage("Maximum number of nested sub-pipelines exceeded. Limit is 20");
  }

  private static Pipeline nested(int depth) {
    String inner = "[]";
    for (int i = 0; i < depth; i++) {
      inner = "[{$lookup: {from: 'f', as: 'r', pipeline: " + inner + "}}]";
    }
    return StageFixture.parse(inner);
  }
}
