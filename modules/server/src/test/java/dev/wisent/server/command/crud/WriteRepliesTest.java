package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact replies of the write commands, and what they refuse. */
class WriteRepliesTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    SERVER.fresh("c");
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 1}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {insert: 'c', documents: [{_id: 3}, {_id: 4}]} | {'n': 2, 'ok': 1.0}
          {update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 1}}, multi: true}]} | {'n': 2, 'nModified': 2, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 1}}}]} | {'n': 1, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 9}, u: {$set: {a: 1}}}]} | {'n': 0, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 9}, u: {a: 1}, upsert: true}]} | {'n': 1, 'upserted': [{'index': 0, '_id': 9}], 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 1}, u: {a: 1}}]} | {'n': 1, 'nModified': 1, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 1}, u: {_id: 1, a: 1}}]} | {'n': 1, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {$or: [{_id: 9}, {_id: 9}]}, u: {$set: {a: 1}}, upsert: true}]} | {'n': 1, 'upserted': [{'index': 0, '_id': 9}], 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {$or: [{_id: 9}]}, u: {a: 1}, upsert: true}]} | {'n': 1, 'upserted': [{'index': 0, '_id': 9}], 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 9}, u: [{$set: {a: {$divide: [1, 0]}}}]}]} | {'n': 0, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 9}, u: [{$replaceWith: {a: {$divide: [1, 0]}}}]}]} | {'n': 0, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 9}, u: [{$project: {a: {$divide: [1, 0]}}}]}]} | {'n': 0, 'nModified': 0, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 1}, u: [{$set: {a: {$cond: [true, 5, {$divide: [1, 0]}]}}}]}]} | {'n': 1, 'nModified': 1, 'ok': 1.0}
          {update: 'c', updates: [{q: {_id: 1}, u: [{$set: {a: {$divide: [1, 0]}}}]}]} | {'n': 0, 'nModified': 0, 'writeErrors': [{'index': 0, 'code': 2, 'errmsg': "Plan executor error during update :: caused by :: can't $divide by zero"}], 'ok': 1.0}
          {delete: 'c', deletes: [{q: {a: 1}, limit: 1}]} | {'n': 1, 'ok': 1.0}
          {delete: 'c', deletes: [{q: {a: 1}, limit: 0}]} | {'n': 2, 'ok': 1.0}
          {delete: 'c', deletes: [{q: {a: 1}, limit: 1}], bypassDocumentValidation: true} | {'n': 1, 'ok': 1.0}
          {count: 'c', query: {a: 1}} | {'n': 2, 'ok': 1.0}
          {count: 'c', limit: -1} | {'n': 1, 'ok': 1.0}
          {distinct: 'c', key: 'a'} | {'values': [1], 'ok': 1.0}
          {findAndModify: 'c', query: {_id: 1}, update: {$set: {a: 2}}, new: true} | {'lastErrorObject': {'n': 1, 'updatedExisting': true}, 'value': {'_id': 1, 'a': 2}, 'ok': 1.0}
          {findAndModify: 'c', query: {_id: 1}, remove: true} | {'lastErrorObject': {'n': 1}, 'value': {'_id': 1, 'a': 1}, 'ok': 1.0}
          {findAndModify: 'c', query: {_id: 8}, update: {$set: {a: 2}}} | {'lastErrorObject': {'n': 0, 'updatedExisting': false}, 'value': null, 'ok': 1.0}
          {findandmodify: 'c', query: {_id: 8}, update: {a: 2}, upsert: true} | {'lastErrorObject': {'n': 1, 'updatedExisting': false, 'upserted': 8}, 'value': null, 'ok': 1.0}
          {insert: 'c', documents: [{_id: 1}]} | {'n': 0, 'writeErrors': [{'index': 0, 'code': 11000, 'keyPattern': {'_id': 1}, 'keyValue': {'_id': 1}, 'errmsg': 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }'}], 'ok': 1.0}
          """)
  void reply(String command, String expected) {
    assertThat(SERVER.run(command)).isEqualTo(BsonDocument.parse(expected));
  }

  @Test
  void aReplacementByTheSameWithoutAnIdIsValidated() {
    SERVER.run("{collMod: 'c', validator: {a: 2}}");
    assertThat(SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {a: 1}}]}"))
        .containsKey("writeErrors");
    assertThat(SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {_id: 1, a: 1}}]}"))
        .doesNotContainKey("writeErrors");
  }

  @Test
  void orderedAndUnordered() {
    String documents = "documents: [{_id: 5}, {_id: 5}, {_id: 6}]";
    assertThat(SERVER.run("{insert: 'c', " + documents + "}").getInt32("n").getValue())
        .isEqualTo(1);
    SERVER.run("{delete: 'c', deletes: [{q: {_id: 5}, limit: 0}]}");
    BsonDocument unordered = SERVER.run("{insert: 'c', " + documents + ", ordered: false}");
    assertThat(unordered.getInt32("n").getValue()).isEqualTo(2);
    assertThat(unordered.getArray("writeErrors")).hasSize(1);
  }

  @Test
  void errorOfOneStatement() {
    BsonDocument reply =
        SERVER.run(
            "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {b: 1}}},"
                + " {q: {_id: 1}, u: {$nosuch: {b: 1}}}, {q: {_id: 2}, u: {$set: {b: 1}}}]}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
    BsonDocument error = reply.getArray("writeErrors").get(0).asDocument();
    assertThat(error.getInt32("index").getValue()).isEqualTo(1);
    assertThat(error.getInt32("code").getValue()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {findAndModify: 'c'} | 9 | Either an update or remove=true must be specified
          {findAndModify: 'c', update: {}, remove: true} | 9 | Cannot specify both an update and remove=true
          {findAndModify: 'c', remove: true, new: true} | 9 | Cannot specify both new=true and remove=true; 'remove' always returns the deleted document
          {delete: 'c', deletes: [{q: {}, limit: 2}]} | 9 | The limit field in delete objects must be 0 or 1. Got 2
          {delete: 'c', deletes: [{q: {}, limit: -1}]} | 9 | The limit field in delete objects must be 0 or 1. Got -1
          {update: 'c', updates: [{q: {}, u: 5}]} | 9 | Update argument must be either an object or an array
          {update: 'c', updates: [{q: {}, u: {$set: {a: 1}}, c: {x: 1}}]} | 51198 | Constant values may only be specified for pipeline updates
          {aggregate: 'c', pipeline: []} | 9 | The 'cursor' option is required, except for aggregate with the explain argument
          {aggregate: 'c', pipeline: 5, cursor: {}} | 14 | 'pipeline' option must be specified as an array
          {aggregate: 'c', pipeline: [], cursor: 5} | 14 | cursor field must be missing or an object
          {find: 'c', sort: {$natural: 5}} | 2 | $natural sort cannot be set to a value other than -1 or 1.
          {find: 'c', sort: {$natural: 1, a: 1}} | 2 | "Cannot include '$natural' in compound sort: { $natural: 1, a: 1 }"
          {find: 'c', hint: {$natural: 'x'}} | 2 | $natural hint cannot be set to a value other than -1 or 1.
          """)
  void refused(String command, int code, String message) {
    assertError(SERVER.fail(command), code, message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{create: 'temporary', temp: true}"})
  void notSupportedYet(String command) {
    assertCode(SERVER.fail(command), 238);
  }

  @Test
  void argumentsWithoutAnEffectHere() {
    assertThat(
            batch(
                SERVER.run(
                    "{find: 'c', let: {x: 1}, allowPartialResults: true, allowDiskUse: true,"
                        + " collation: {locale: 'simple'}, comment: 'x'}")))
        .hasSize(2);
    assertThat(
            SERVER
                .run(
                    "{insert: 'c', documents: [{}], bypassEmptyTsReplacement: false,"
                        + " comment: 'x'}")
                .getInt32("n")
                .getValue())
        .isEqualTo(1);
    assertThat(
            SERVER.run(
                "{createIndexes: 'c', indexes: [{key: {z: 1}, name: 'z', nosuch: 1}],"
                    + " ignoreUnknownIndexOptions: true}"))
        .containsKey("numIndexesAfter");
  }
}
