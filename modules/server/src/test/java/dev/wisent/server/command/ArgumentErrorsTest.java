package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong types, missing, unknown and repeated fields: the code and the path in the message. */
class ArgumentErrorsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {insert: 'c', documents: 1} | insert.documents | int | array
          {insert: 'c', documents: [1]} | insert.documents.0 | int | object
          {update: 'c', updates: 'x'} | update.updates | string | array
          {update: 'c', updates: [{q: 1, u: {}}]} | update.updates.q | int | object
          {update: 'c', updates: [{q: {}, u: {}, multi: 1}]} | update.updates.multi | int | bool
          {update: 'c', updates: [{q: {}, u: {}, upsert: 'y'}]} | update.updates.upsert | string | bool
          {update: 'c', updates: [{q: {}, u: {}, arrayFilters: {}}]} | update.updates.arrayFilters | object | array
          {delete: 'c', deletes: {}} | delete.deletes | object | array
          {delete: 'c', deletes: [{q: 'x', limit: 1}]} | delete.deletes.q | string | object
          {findAndModify: 'c', query: 1, remove: true} | findAndModify.query | int | object
          {findAndModify: 'c', sort: [], remove: true} | findAndModify.sort | array | object
          {count: 'c', query: 'x'} | count.query | string | object
          {distinct: 'c', key: 1} | distinctCommandRequest.key | int | string
          {distinct: 'c', key: 'a', query: 1} | distinctCommandRequest.query | int | object
          {find: 'c', let: 1} | FindCommandRequest.let | int | object
          {aggregate: 'c', pipeline: [], cursor: {}, let: 'x'} | aggregate.let | string | object
          {getMore: 5, collection: 'c'} | getMore.getMore | int | long
          {getMore: {$numberLong: '5'}, collection: 5} | getMore.collection | int | string
          {killCursors: 'c', cursors: 5} | killCursors.cursors | int | array
          {killCursors: 'c', cursors: ['x']} | killCursors.cursors.0 | string | long
          {create: 'c2', validator: 1} | create.validator | int | object
          {create: 'c2', validationLevel: 1} | create.validationLevel | int | string
          {createIndexes: 'c', indexes: 'x'} | createIndexes.indexes | string | array
          {listIndexes: 'c', cursor: 'x'} | listIndexes.cursor | string | object
          {listCollections: 1, filter: 1} | listCollections.filter | int | object
          {collMod: 'c', validator: 1} | collMod.validator | int | object
          """)
  void wrongType(String command, String path, String actual, String expected) {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    assertError(
        SERVER.fail(command),
        14,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + actual
            + "', expected type '"
            + expected
            + "'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {insert: 'c', documents: [{}], ordered: 'x'} | insert.ordered | string
          {insert: 'c', documents: [{}], bypassDocumentValidation: {}} | insert.bypassDocumentValidation | object
          {findAndModify: 'c', remove: 'x'} | findAndModify.remove | string
          {findAndModify: 'c', update: {}, new: []} | findAndModify.new | array
          {create: 'c2', capped: 'x'} | create.capped | string
          {listCollections: 1, nameOnly: 'x'} | listCollections.nameOnly | string
          """)
  void wrongTypeOfAFlag(String command, String path, String actual) {
    assertError(
        SERVER.fail(command),
        14,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + actual
            + "', expected types '[bool, long, int, decimal, double]'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {find: 'c', limit: 'x'} | FindCommandRequest.limit | string
          {find: 'c', skip: true} | FindCommandRequest.skip | bool
          {find: 'c', batchSize: {}} | FindCommandRequest.batchSize | object
          {find: 'c', maxTimeMS: 'x'} | FindCommandRequest.maxTimeMS | string
          {ping: 1, maxTimeMS: true} | ping.maxTimeMS | bool
          {count: 'c', limit: 'x'} | count.limit | string
          {create: 'c2', capped: true, size: 'x'} | create.size | string
          {dbStats: 1, scale: 'x'} | dbStats.scale | string
          """)
  void wrongTypeOfANumber(String command, String path, String actual) {
    assertError(
        SERVER.fail(command),
        14,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + actual
            + "', expected types '[long, int, decimal, double]'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"filter", "sort", "projection", "min", "max"})
  void findHasAMessageOfItsOwnForDocuments(String field) {
    assertError(
        SERVER.fail("{find: 'c', " + field + ": 5}"),
        14,
        "Expected field " + field + "to be of type object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"singleBatch", "tailable", "awaitData", "noCursorTimeout", "returnKey"})
  void findHasAMessageOfItsOwnForFlags(String field) {
    assertError(
        SERVER.fail("{find: 'c', " + field + ": 1}"),
        14,
        "Field '" + field + "' should be a boolean value, but found: int");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {find: 'c', limit: -1} | limit | 0 | -1
          {find: 'c', skip: -3} | skip | 0 | -3
          {find: 'c', batchSize: -1} | batchSize | 0 | -1
          {aggregate: 'c', pipeline: [], cursor: {batchSize: -1}} | batchSize | 0 | -1
          {getMore: {$numberLong: '1'}, collection: 'c', batchSize: -1} | batchSize | 0 | -1
          {find: 'c', maxTimeMS: -1} | maxTimeMS | 0 | -1
          {dbStats: 1, scale: 0} | scale | 1 | 0
          {collStats: 'c', scale: -7} | scale | 1 | -7
          """)
  void numberBelowItsBound(String command, String field, int bound, int actual) {
    assertError(
        SERVER.fail(command),
        2,
        "BSON field '" + field + "' value must be >= " + bound + ", actual value '" + actual + "'");
  }

  @Test
  void maxTimeIsAWholeNumberOfInt32() {
    assertCode(SERVER.fail("{find: 'c', maxTimeMS: 1.5}"), 9);
    assertCode(SERVER.fail("{find: 'c', maxTimeMS: -1.5}"), 9);
    assertCode(SERVER.fail("{find: 'c', maxTimeMS: {$numberDouble: 'NaN'}}"), 9);
    assertCode(SERVER.fail("{find: 'c', maxTimeMS: {$numberLong: '2147483648'}}"), 2);
    assertOk(SERVER.run("{find: 'c', maxTimeMS: 1000.0}"));
    assertOk(SERVER.run("{find: 'c', maxTimeMS: {$numberDecimal: '1000'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          test | {insert: 'c'} | insert.documents
          test | {update: 'c'} | update.updates
          test | {update: 'c', updates: [{u: {}}]} | update.updates.q
          test | {update: 'c', updates: [{q: {}}]} | update.updates.u
          test | {delete: 'c'} | delete.deletes
          test | {delete: 'c', deletes: [{limit: 1}]} | delete.deletes.q
          test | {delete: 'c', deletes: [{q: {}}]} | delete.deletes.limit
          test | {aggregate: 'c', cursor: {}} | aggregate.pipeline
          test | {distinct: 'c'} | distinctCommandRequest.key
          test | {getMore: {$numberLong: '1'}} | getMore.collection
          test | {killCursors: 'c'} | killCursors.cursors
          test | {createIndexes: 'c'} | createIndexes.indexes
          test | {dropIndexes: 'c'} | dropIndexes.index
          admin | {renameCollection: 'test.c'} | renameCollection.to
          admin | {killOp: 1} | killOp.op
          admin | {bulkWrite: 1, nsInfo: [{ns: 'test.c'}]} | bulkWrite.ops
          admin | {bulkWrite: 1, ops: [{insert: 0, document: {}}]} | bulkWrite.nsInfo
          """)
  void missing(String database, String command, String path) {
    assertError(
        SERVER.fail(database, command),
        40414,
        "BSON field '" + path + "' is missing but a required field");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          test | {find: 'c', x: 1} | FindCommandRequest.x
          test | {aggregate: 'c', pipeline: [], cursor: {}, x: 1} | aggregate.x
          test | {aggregate: 'c', pipeline: [], cursor: {x: 1}} | cursor.x
          test | {getMore: {$numberLong: '1'}, collection: 'c', x: 1} | getMore.x
          test | {killCursors: 'c', cursors: [], x: 1} | killCursors.x
          test | {insert: 'c', documents: [{}], x: 1} | insert.x
          test | {insert: 'c', documents: [{}], let: {}} | insert.let
          test | {update: 'c', updates: [{q: {}, u: {}}], documents: []} | update.documents
          test | {update: 'c', updates: [{q: {}, u: {}, x: 1}]} | update.updates.x
          test | {delete: 'c', deletes: [{q: {}, limit: 1, x: 1}]} | delete.deletes.x
          test | {findAndModify: 'c', remove: true, x: 1} | findAndModify.x
          test | {count: 'c', x: 1} | count.x
          test | {distinct: 'c', key: 'a', x: 1} | distinctCommandRequest.x
          test | {create: 'c2', x: 1} | create.x
          test | {drop: 'c', x: 1} | drop.x
          test | {dropDatabase: 1, x: 1} | dropDatabase.x
          test | {collMod: 'c', x: 1} | collMod.x
          test | {convertToCapped: 'c', size: 1, x: 1} | convertToCapped.x
          test | {listCollections: 1, x: 1} | listCollections.x
          test | {createIndexes: 'c', indexes: [], x: 1} | createIndexes.x
          test | {listIndexes: 'c', x: 1} | listIndexes.x
          test | {dropIndexes: 'c', index: 'a', x: 1} | dropIndexes.x
          test | {collStats: 'c', x: 1} | collStats.x
          test | {dbStats: 1, x: 1} | dbStats.x
          test | {validate: 'c', x: 1} | validate.x
          admin | {listDatabases: 1, x: 1} | listDatabases.x
          admin | {renameCollection: 'test.c', to: 'test.d', x: 1} | renameCollection.x
          admin | {fsync: 1, x: 1} | fsync.x
          admin | {killOp: 1, op: 1, x: 1} | killOp.x
          admin | {bulkWrite: 1, ops: [{insert: 0, document: {}, x: 1}], nsInfo: [{ns: 'test.c'}]} | bulkWrite.ops.insert.x
          admin | {bulkWrite: 1, ops: [{insert: 0, document: {}}], nsInfo: [{ns: 'test.c', x: 1}]} | bulkWrite.nsInfo.x
          """)
  void unknown(String database, String command, String path) {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    assertError(
        SERVER.fail(database, command), 40415, "BSON field '" + path + "' is an unknown field.");
  }

  @Test
  void fieldGivenTwice() {
    try (RawClient client = SERVER.connect()) {
      byte[] twice = client.message(0, raw("{find: 'c', $db: 'test', limit: 1, limix: 2}"));
      twice[new String(twice, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("limix") + 4] =
          't';
      client.send(twice);
      assertError(
          RawClient.body(client.receive()),
          40413,
          "BSON field 'FindCommandRequest.limit' is a duplicate field");
    }
  }

  private static RawDocument raw(String json) {
    return RawDocument.parse(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "atlasVersion", "FIND", "find ", "ü"})
  void unknownCommand(String name) {
    BsonDocument reply = SERVER.fail("{'" + name + "': 1, maxTimeMS: 'x'}");
    assertError(reply, 59, "no such command: '" + name + "'");
    assertThat(reply.getString("codeName").getValue()).isEqualTo("CommandNotFound");
  }

  @Test
  void unknownCommandWithoutAName() {
    try (RawClient client = SERVER.connect()) {
      assertError(client.run("{}"), 59, "no such command: ''");
      assertError(client.run("{find: 'c'}"), 40571, "OP_MSG requests require a $db argument");
      assertOk(client.run("{ping: 1, $db: 'admin'}"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "listDatabases",
        "currentOp",
        "killOp",
        "top",
        "getLog",
        "getParameter",
        "setParameter",
        "fsync",
        "fsyncUnlock",
        "shutdown",
        "renameCollection",
        "bulkWrite",
        "getCmdLineOpts",
        "logRotate",
        "configureFailPoint"
      })
  void adminOnly(String name) {
    assertError(
        SERVER.fail("{" + name + ": 1}"),
        13,
        name + " may only be run against the admin database.");
  }

  @Test
  void nullsCountAsAbsent() {
    assertOk(SERVER.run("{find: 'c', limit: null, maxTimeMS: null, hint: null, let: null}"));
    assertCode(SERVER.fail("{killCursors: 'c', cursors: null}"), 40414);
  }
}
