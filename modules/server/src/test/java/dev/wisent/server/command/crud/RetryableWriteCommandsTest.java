package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.MemberState;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Write commands with a transaction number, as a member of a replica set takes them. */
class RetryableWriteCommandsTest {
  private static final String LSID =
      "lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}";

  private final FakeReplicaSet set = new FakeReplicaSet(1);
  private MemberServer server;

  @BeforeEach
  void start(@TempDir Path directory) {
    server = new MemberServer(directory, set);
    assertOk(server.run("{create: 'c'}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private BsonDocument write(long txnNumber, String command) {
    return server.run("{" + command + ", " + LSID + ", txnNumber: " + number(txnNumber) + "}");
  }

  private static String number(long txnNumber) {
    return "{$numberLong: '" + txnNumber + "'}";
  }

  private static BsonArray ids(int... ids) {
    var array = new BsonArray();
    for (int id : ids) {
      array.add(new BsonInt32(id));
    }
    return array;
  }

  private static List<String> labels(BsonDocument reply) {
    return reply.getArray("errorLabels", new BsonArray()).stream()
        .map(label -> label.asString().getValue())
        .toList();
  }

  private int count(String query) {
    return server.run("{count: 'c', query: " + query + "}").getInt32("n").getValue();
  }

  @Test
  void insert() {
    String command = "insert: 'c', documents: [{_id: 1}, {_id: 2}]";
    assertThat(write(1, command)).doesNotContainKey("retriedStmtIds");
    BsonDocument again = write(1, command);
    assertThat(again.getInt32("n").getValue()).isEqualTo(2);
    assertThat(again).doesNotContainKey("writeErrors");
    assertThat(again.get("retriedStmtIds")).isEqualTo(ids(0, 1));
    assertThat(write(2, command)).containsKey("writeErrors");
  }

  @Test
  void update() {
    String command =
        "update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}, upsert: true},"
            + " {q: {_id: 1}, u: {$inc: {n: 1}}}]";
    BsonDocument first = write(1, command);
    BsonDocument again = write(1, command);
    for (String field : List.of("n", "nModified", "upserted")) {
      assertThat(again.get(field)).isEqualTo(first.get(field)).isNotNull();
    }
    assertThat(again.get("retriedStmtIds")).isEqualTo(ids(0, 1));
    assertThat(count("{n: 2}")).isEqualTo(1);
  }

  @Test
  void delete() {
    server.run("{insert: 'c', documents: [{a: 1}, {a: 1}]}");
    String command = "delete: 'c', deletes: [{q: {a: 1}, limit: 1}]";
    write(1, command);
    BsonDocument again = write(1, command);
    assertThat(again.getInt32("n").getValue()).isEqualTo(1);
    assertThat(again.get("retriedStmtIds")).isEqualTo(ids(0));
    assertThat(count("{}")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "query: {_id: 1}, update: {$inc: {n: 1}}",
        "query: {_id: 1}, update: {$inc: {n: 1}}, new: true, fields: {n: 1, _id: 0}",
        "query: {_id: 2}, update: {$inc: {n: 1}}, upsert: true",
        "query: {_id: 2}, update: {$inc: {n: 1}}, upsert: true, new: true",
        "query: {_id: 1}, remove: true",
      })
  void findAndModify(String arguments) {
    server.run("{insert: 'c', documents: [{_id: 1, n: 0}]}");
    BsonDocument first = write(1, "findAndModify: 'c', " + arguments);
    BsonDocument again = write(1, "findAndModify: 'c', " + arguments);
    assertThat(first).doesNotContainKey("retriedStmtId");
    assertThat(again.getInt32("retriedStmtId").getValue()).isZero();
    assertThat(again.get("value")).isEqualTo(first.get("value"));
    assertThat(again.get("lastErrorObject")).isEqualTo(first.get("lastErrorObject"));
    assertThat(count("{n: {$gt: 1}}")).isZero();
  }

  @Test
  void bulkWrite() {
    String command =
        "bulkWrite: 1, ops: [{insert: 0, document: {_id: 1, n: 0}},"
            + " {insert: 0, document: {_id: 2, n: 0}},"
            + " {update: 0, filter: {_id: 1}, updateMods: {$inc: {n: 1}}},"
            + " {update: 0, filter: {_id: 3}, updateMods: {$inc: {n: 1}}, upsert: true},"
            + " {delete: 0, filter: {_id: 2}}],"
            + " nsInfo: [{ns: 'test.c'}], $db: 'admin'";
    BsonDocument first = write(1, command);
    BsonDocument again = write(1, command);
    assertThat(again.get("retriedStmtIds")).isEqualTo(ids(0, 1, 2, 3, 4));
    for (String field : List.of("nInserted", "nMatched", "nModified", "nUpserted", "nDeleted")) {
      assertThat(again.get(field)).isEqualTo(first.get(field)).isEqualTo(number(field));
    }
    assertThat(again.getDocument("cursor").get("firstBatch"))
        .isEqualTo(first.getDocument("cursor").get("firstBatch"));
    assertThat(count("{n: 1}")).isEqualTo(2);
  }

  private static BsonInt32 number(String field) {
    return new BsonInt32(field.equals("nInserted") ? 2 : 1);
  }

  @Test
  void statementsMayHaveNumbers() {
    assertOk(write(1, "insert: 'c', documents: [{_id: 1}, {_id: 2}], stmtIds: [5, 3]"));
    assertThat(write(1, "insert: 'c', documents: [{_id: 2}], stmtId: 3").get("retriedStmtIds"))
        .isEqualTo(ids(3));
    assertError(
        write(1, "insert: 'c', documents: [{_id: 2}], stmtIds: [1, 2]"),
        16,
        "Number of statement ids must match the number of batch entries. Got 2 statement ids but 1"
            + " operations.");
    assertError(
        write(1, "insert: 'c', documents: [{_id: 2}], stmtId: 1, stmtIds: [1]"),
        72,
        "May not specify both stmtId and stmtIds in write command");
    assertCode(write(1, "insert: 'c', documents: [{_id: 2}], stmtIds: ['x']"), 14);
    assertCode(write(1, "insert: 'c', documents: [{_id: 2}], stmtId: 'x'"), 14);
  }

  @Test
  void numbersOnlyGrow() {
    assertOk(write(5, "insert: 'c', documents: [{_id: 1}]"));
    assertCode(write(4, "insert: 'c', documents: [{_id: 2}]"), 225);
    assertError(
        write(-1, "insert: 'c', documents: [{_id: 2}]"),
        72,
        "Transaction number cannot be negative");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update: 'c', updates: [{q: {}, u: {$set: {a: 1}}, multi: true}] | multi=true",
        "delete: 'c', deletes: [{q: {}, limit: 0}]                       | limit=0",
      })
  void writesToManyDocumentsAreRefused(String command, String why) {
    BsonDocument reply = write(1, command);
    BsonDocument error = reply.getArray("writeErrors").getFirst().asDocument();
    assertThat(error.getInt32("code").getValue()).isEqualTo(72);
    assertThat(error.getString("errmsg").getValue())
        .isEqualTo("Cannot use (or request) retryable writes with " + why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"find: 'c'", "ping: 1", "create: 'd'", "commitTransaction: 1"})
  void otherCommandsHaveNoNumber(String command) {
    String name = command.substring(0, command.indexOf(':'));
    assertError(
        write(1, command + (name.startsWith("commit") ? ", $db: 'admin'" : "")),
        50768,
        "txnNumber may only be provided for multi-document transactions and retryable write"
            + " commands. autocommit:false was not provided, and "
            + name
            + " is not a retryable write command.");
  }

  @Test
  void transactionsAreRefused() {
    String insert = "insert: 'c', documents: [{_id: 1}]";
    assertError(
        write(1, insert + ", startTransaction: true, autocommit: false"),
        263,
        "Multi-document transactions are not supported yet");
    assertCode(write(1, insert + ", autocommit: true"), 72);
    assertCode(write(1, insert + ", startTransaction: true"), 72);
    assertThat(count("{}")).isZero();
  }

  @Test
  void commandsThatHaveNoPlaceInATransactionSaySo() {
    String inTransaction = ", startTransaction: true, autocommit: false";
    assertError(
        write(1, "listCollections: 1" + inTransaction),
        263,
        "Cannot run 'listCollections' in a multi-document transaction.");
    assertError(
        write(1, "count: 'c'" + inTransaction),
        263,
        "Cannot run 'count' in a multi-document transaction. Please see"
            + " http://dochub.mongodb.org/core/transaction-count for a recommended alternative.");
  }

  @Test
  void driversAreToldWhatToSendAgain() {
    set.state(MemberState.SECONDARY);
    BsonDocument refused = write(1, "insert: 'c', documents: [{_id: 1}]");
    assertCode(refused, 10107);
    assertThat(labels(refused)).containsExactly("RetryableWriteError", "NoWritesPerformed");
    BsonDocument ordinary = server.run("{insert: 'c', documents: [{_id: 1}]}");
    assertCode(ordinary, 10107);
    assertThat(labels(ordinary)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "errorCode: 91                                  | RetryableWriteError",
        "errorCode: 10107                               | RetryableWriteError",
        "errorCode: 11600                               | RetryableWriteError",
        "errorCode: 11601                               | ''",
        "errorCode: 91, errorLabels: []                 | ''",
        "errorCode: 11000, errorLabels: ['Own']         | Own",
        "writeConcernError: {code: 91}                  | RetryableWriteError",
        "writeConcernError: {code: 64}                  | ''",
        "writeConcernError: {code: 91}, errorLabels: [] | ''",
      })
  void failPointsAreLabelled(String data, String label) {
    BsonArray expected = new BsonArray();
    if (!label.isEmpty()) {
      expected.add(new BsonString(label));
    }
    String failPoint =
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['insert'], "
            + data
            + "}, $db: 'admin'}";
    assertOk(server.run(failPoint));
    BsonDocument reply = write(1, "insert: 'c', documents: [{_id: 1}]");
    assertThat(reply.getArray("errorLabels", new BsonArray())).isEqualTo(expected);
    assertOk(server.run(failPoint));
    BsonDocument ordinary = server.run("{insert: 'c', documents: [{_id: 2}]}");
    assertThat(labels(ordinary)).doesNotContain("RetryableWriteError");
  }
}
