package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.update.TouchedPaths;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.query.update.UpdateParser;
import dev.wisent.query.update.UpsertBuilder;
import java.util.List;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateStagesTest {
  private static final UpdateContext CONTEXT =
      new UpdateContext(
          QueryContext.of(() -> 0, () -> 0), () -> 1, ObjectId::new, UpdateStages::parse);

  private static Update parse(String pipeline) {
    RawValue value = RawDocument.parse("{v: " + pipeline + "}").get("v");
    return UpdateParser.parse(value, List.of(), true, CONTEXT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$set: {b: {$add: ['$a', 1]}}}]                 | {_id: 1, a: 2}       | {_id: 1, a: 2, b: 3}
          [{$addFields: {t: '$a'}}, {$set: {a: {$add: ['$t', '$t']}}}, {$unset: 't'}] | {_id: 1, a: 2} | {_id: 1, a: 4}
          [{$unset: ['a', 'b.c']}]                         | {_id: 1, a: 2, b: {c: 1, d: 2}} | {_id: 1, b: {d: 2}}
          [{$project: {x: '$a'}}]                          | {_id: 1, a: 2}       | {_id: 1, x: 2}
          [{$project: {_id: 0, a: 1}}]                     | {_id: 1, a: 2, b: 3} | {_id: 1, a: 2}
          [{$replaceWith: '$d'}]                           | {_id: 1, d: {x: 1}}  | {_id: 1, x: 1}
          [{$replaceRoot: {newRoot: {$mergeObjects: [{z: 0}, '$$ROOT']}}}] | {_id: 1, a: 2} | {_id: 1, z: 0, a: 2}
          [{$set: {'l.x': 1}}]                             | {_id: 1, l: [{}, {y: 1}]} | {_id: 1, l: [{x: 1}, {y: 1, x: 1}]}
          """)
  void computesDocuments(String pipeline, String before, String after) {
    UpdateOutcome outcome = parse(pipeline).apply(RawDocument.parse(before), null, false);
    assertThat(outcome.modified()).isTrue();
    assertThat(outcome.document()).isEqualTo(RawDocument.parse(after));
    assertThat(outcome.touched()).isEqualTo(TouchedPaths.ALL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []
          [{$set: {a: 2}}]
          [{$set: {a: {$add: ['$a', 1]}}}, {$set: {a: {$subtract: ['$a', 1]}}}]
          [{$unset: 'none'}]
          [{$replaceWith: '$$ROOT'}]
          """)
  void leavesADocumentAsItIs(String pipeline) {
    RawDocument document = RawDocument.parse("{_id: 1, a: 2}");
    UpdateOutcome outcome = parse(pipeline).apply(document, null, false);
    assertThat(outcome.modified()).isFalse();
    assertThat(outcome.document()).isSameAs(document);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$match: {}}]              | 72    | $match is not allowed to be used within an update
          [{$lookup: {}}]             | 72    | $lookup is not allowed to be used within an update
          [{$noSuch: {}}]             | 40324 | Unrecognized pipeline stage name: '$noSuch'
          [{$set: {}, $unset: 'a'}]   | 40323 | A pipeline stage specification object must contain exactly one field.
          [1]                         | 14    | Each element of the 'pipeline' array must be an object
          [{$replaceWith: 1}]         | 40228 | 'replacement document' must evaluate to an object, but resulting value was: 1. Type of resulting value: 'int'. Input document: { _id: 1, a: 2 }
          [{$replaceRoot: {newRoot: '$none'}}] | 40228 | 'newRoot' expression  must evaluate to an object, but resulting value was: MISSING. Type of resulting value: 'missing'. Input document: { _id: 1, a: 2 }
          [{$replaceRoot: 1}]         | 40229 | expected an object as specification for $replaceRoot stage, got int
          [{$set: {_id: 5}}]          | 66    | After applying the update, the (immutable) field '_id' was found to have been altered to _id: 5
          [{$set: {x: {$size: '$a'}}}] | 17124 | The argument to $size must be an array, but was of type: int
          """)
  void mistakes(String pipeline, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> parse(pipeline).apply(RawDocument.parse("{_id: 1, a: 2}"), null, false));
    assertThat(error).as(pipeline).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @Test
  void refusesArrayFilters() {
    RawValue pipeline = RawDocument.parse("{v: []}").get("v");
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () ->
                UpdateParser.parse(pipeline, List.of(RawDocument.parse("{i: 1}")), true, CONTEXT));
    assertThat(error).hasMessage("arrayFilters may not be specified for pipeline-style updates");
  }

  @Test
  void startsFromWhatTheFilterFixesInAnUpsert() {
    RawDocument inserted =
        UpsertBuilder.build(
            parse("[{$set: {b: {$add: ['$a', 1]}}}]"),
            MatchParser.parse(RawDocument.parse("{_id: 7, a: 1}"), CONTEXT.query()),
            CONTEXT);
    assertThat(inserted).isEqualTo(RawDocument.parse("{_id: 7, a: 1, b: 2}"));
  }
}
