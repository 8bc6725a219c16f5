package dev.wisent.pipeline.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.write.MergeStage.WhenMatched;
import dev.wisent.pipeline.write.MergeStage.WhenNotMatched;
import dev.wisent.query.interrupt.WorkMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeStageTest {
  private static MergeStage parse(String argument) {
    return (MergeStage) StageFixture.parse("[{$merge: " + argument + "}]").stages().getFirst();
  }

  @Test
  void mergesAndInsertsByIdUnlessToldOtherwise() {
    MergeStage stage = parse("'c'");
    assertThat(stage.collection()).isEqualTo("c");
    assertThat(stage.on()).isNull();
    assertThat(stage.mergeOn()).containsExactly("_id");
    assertThat(stage.whenMatched()).isEqualTo(WhenMatched.MERGE);
    assertThat(stage.whenNotMatched()).isEqualTo(WhenNotMatched.INSERT);
    assertThat(parse("{into: {db: 'd', coll: 'c'}}").database()).isEqualTo("d");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'c' | {into: {coll: 'c'}, on: '_id', whenMatched: 'merge', whenNotMatched: 'insert'}
          {into: {db: 'd', coll: 'c'}, on: ['b', 'a'], whenMatched: 'replace', whenNotMatched: 'discard'} | {into: {db: 'd', coll: 'c'}, on: ['a', 'b'], whenMatched: 'replace', whenNotMatched: 'discard'}
          {into: 'c', whenMatched: [{$set: {x: '$$new.x'}}]} | {into: {coll: 'c'}, on: '_id', let: {new: '$$ROOT'}, whenMatched: [{$set: {x: '$$new.x'}}], whenNotMatched: 'insert'}
          """)
  void explained(String argument, String expected) {
    assertThat(StageFixture.explained("{$merge: " + argument + "}"))
        .isEqualTo(RawDocument.parse("{$merge: " + expected + "}"));
  }

  @Test
  void findsDocumentsByTheirKeys() {
    MergeStage stage = parse("{into: 'c', on: ['a.b', 'd']}");
    assertThat(stage.filter(RawDocument.parse("{a: {b: 1, c: 2}, d: 'x'}")))
        .isEqualTo(RawDocument.parse("{'a.b': 1, d: 'x'}"));
    assertThat(stage.filter(RawDocument.parse("{a: {b: /x/}, d: 1}")))
        .isEqualTo(RawDocument.parse("{'a.b': {$eq: /x/}, d: 1}"));
    assertKeyError(
        stage, "{a: {b: 1}}", 51132, "'d' cannot be missing, null, undefined or an array");
    assertKeyError(stage, "{a: {b: 1}, d: null}", 51132, "'d' cannot be missing");
    assertKeyError(stage, "{a: [{b: 1}], d: 1}", 51185, "'a.b' is an array");
    assertKeyError(stage, "{a: {b: 1}, d: [1]}", 51185, "'d' is an array");
  }

  private static void assertKeyError(MergeStage stage, String document, int code, String text) {
    CommandException e =
        catchThrowableOfType(
            CommandException.class, () -> stage.filter(RawDocument.parse(document)));
    assertThat(e.code().code()).isEqualTo(code);
    assertThat(e)
        .hasMessageStartingWith("$merge write error: 'on' field ")
        .hasMessageContaining(text);
  }

  @Test
  void variablesAreMadeOfTheNewDocument() {
    MergeStage stage =
        parse(
            "{into: 'c', let: {twice: {$multiply: ['$x', 2]}}, whenMatched: [{$set: {y:"
                + " '$$twice'}}]}");
    assertThat(stage.constants(RawDocument.parse("{_id: 1, x: 4}"), WorkMeter.unchecked()))
        .isEqualTo(RawDocument.parse("{twice: 8, new: {_id: 1, x: 4}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                              | 14    | $merge requires a string or object argument, but found int
          {}                             | 40414 | BSON field '$merge.into' is missing but a required field
          {into: 1}                      | 51178 | $merge 'into' field  must be either a string or an object, but found int
          {into: ''}                     | 5786800 | $merge 'into' field cannot be an empty string
          {into: {db: 'd'}}              | 5786801 | $merge 'into' field must specify a 'coll' that is not empty, null or undefined
          {into: {coll: 'c', x: 1}}      | 40415 | BSON field 'into.x' is an unknown field.
          {into: 'c', x: 1}              | 40415 | BSON field '$merge.x' is an unknown field.
          'system.x'                     | 31319 | Cannot $merge to special collection: system.x
          {into: 'c', on: 1}             | 51186 | $merge 'on' field  must be either a string or an array of strings, but found int
          {into: 'c', on: []}            | 51187 | If explicitly specifying $merge 'on', must include at least one field
          {into: 'c', on: [1]}           | 51134 | $merge 'on' array elements must be strings, but found int
          {into: 'c', on: ['a', 'a']}    | 31465 | Found a duplicate field 'a'
          {into: 'c', on: ''}            | 40352 | FieldPath cannot be constructed with empty string
          {into: 'c', whenMatched: 1}    | 51191 | $merge 'whenMatched' field  must be either a string or an array, but found int
          {into: 'c', whenMatched: 'x'}  | 2     | Enumeration value 'x' for field 'whenMatched' is not a valid value.
          {into: 'c', whenMatched: 'pipeline'} | 2 | Enumeration value 'pipeline' for field 'whenMatched' is not a valid value.
          {into: 'c', whenNotMatched: 'x'} | 2   | Enumeration value 'x' for field '$merge.whenNotMatched' is not a valid value.
          {into: 'c', whenNotMatched: 1} | 14    | BSON field '$merge.whenNotMatched' is the wrong type 'int', expected type 'string'
          {into: 'c', whenMatched: 'fail', whenNotMatched: 'discard'} | 51181 | Combination of $merge modes 'whenMatched: fail' and 'whenNotMatched: discard' is not supported
          {into: 'c', whenMatched: 'keepExisting', whenNotMatched: 'fail'} | 51181 | Combination of $merge modes 'whenMatched: keepExisting' and 'whenNotMatched: fail' is not supported
          {into: 'c', let: {a: 1}}       | 51199 | Cannot use 'let' variables with 'whenMatched: merge' mode
          {into: 'c', let: {new: 1}, whenMatched: []} | 51273 | 'let' may not define a value for the reserved 'new' variable other than '$$ROOT'
          {into: 'c', let: 1, whenMatched: []} | 14 | BSON field '$merge.let' is the wrong type 'int', expected type 'object'
          {into: 'c', whenMatched: [{$group: {_id: 1}}]} | 72 | $group is not allowed to be used within an update
          {into: 'c', whenMatched: [{$set: {a: '$$nope'}}]} | 17276 | Use of undefined variable: nope
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkErrorPart("[{$merge: " + argument + "}]", "[]", code, message);
  }

  @Test
  void standsLast() {
    var error = StageFixture.errorOf("[{$merge: 'c'}, {$match: {}}]", "[]");
    assertThat(error.code().code()).isEqualTo(40601);
  }
}
