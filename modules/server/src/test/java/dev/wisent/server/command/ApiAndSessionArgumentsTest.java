package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arguments that any command may carry: stable API, sessions, transactions, help. */
class ApiAndSessionArgumentsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String LSID =
      "lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}";

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private BsonDocument run(String command) {
    return client.run("{" + command + ", $db: 'admin'}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "find: 'c', returnKey: true    | BSON field 'FindCommandRequest.returnKey'",
        "find: 'c', min: {a: 1}        | BSON field 'FindCommandRequest.min'",
        "create: 'c', capped: true     | BSON field 'create.capped'",
      })
  void argumentsOutsideTheApiAreRefused(String command, String message) {
    assertError(
        run(command + ", apiVersion: '1', apiStrict: true"),
        323,
        message + " is not allowed with apiStrict:true.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "find: 'c', projection: {s: {$meta: 'indexKey'}}               | indexKey",
        "find: 'c', sort: {s: {$meta: 'textScore'}}                    | textScore",
        "aggregate: 'c', cursor: {}, pipeline: [{$set: {a: [{$meta: 'searchScore'}]}}] |"
            + " searchScore",
      })
  void metadataOutsideTheApiIsRefused(String command, String name) {
    assertError(
        run(command + ", apiVersion: '1', apiStrict: true"),
        323,
        "Provided apiStrict is true with an unstable meta field \"" + name + "\"");
  }

  @Test
  void metadataInsideTheApi() {
    String strict = ", apiVersion: '1', apiStrict: true";
    assertOk(run("find: 'c', projection: {s: {$meta: 'recordId'}}" + strict));
    assertOk(run("find: 'c', projection: {s: {$literal: {$meta: 'textScore'}}}" + strict));
  }

  @Test
  void stagesOutsideTheApiAreRefused() {
    String strict = "cursor: {}, apiVersion: '1', apiStrict: true";
    assertError(
        run("aggregate: 'c', pipeline: [{$match: {}}, {$indexStats: {}}], " + strict),
        323,
        "stage $indexStats is not allowed with 'apiStrict: true' in API Version 1");
    assertError(
        run("aggregate: 'c', pipeline: [{$collStats: {storageStats: {}}}], " + strict),
        323,
        "only the 'count' option to $collStats is supported in API Version 1");
    assertOk(run("aggregate: 'c', pipeline: [{$match: {}}], " + strict));
  }

  @Test
  void versionOne() {
    assertOk(run("ping: 1, apiVersion: '1'"));
    assertOk(run("ping: 1, apiVersion: '1', apiStrict: true, apiDeprecationErrors: true"));
    assertOk(run("buildInfo: 1, apiVersion: '1', apiStrict: false"));
  }

  @Test
  void otherVersions() {
    assertError(run("ping: 1, apiVersion: '2'"), 322, "API version must be \"1\"");
    assertError(run("ping: 1, apiVersion: ''"), 322, "API version must be \"1\"");
    assertCode(run("ping: 1, apiVersion: 1"), 14);
  }

  @Test
  void strictNeedsAVersion() {
    String message = "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion";
    assertError(run("ping: 1, apiStrict: true"), 4886600, message);
    assertError(run("ping: 1, apiDeprecationErrors: true"), 4886600, message);
    assertCode(run("ping: 1, apiVersion: '1', apiStrict: 1"), 14);
  }

  @ParameterizedTest
  @ValueSource(strings = {"buildInfo", "serverStatus", "isMaster", "top", "getLog", "currentOp"})
  void strictRefusesWhatIsNotInTheVersion(String command) {
    assertError(
        run(command + ": 1, apiVersion: '1', apiStrict: true"),
        323,
        "Provided apiStrict:true, but the command " + command + " is not in API Version 1");
  }

  @Test
  void session() {
    assertOk(run("ping: 1, " + LSID));
    assertError(
        run("ping: 1, lsid: 1"),
        14,
        "BSON field 'ping.lsid' is the wrong type 'int', expected type 'object'");
    assertError(
        run("ping: 1, lsid: {}"),
        40414,
        "BSON field 'ping.lsid.id' is missing but a required field");
    assertError(
        run("ping: 1, lsid: {id: 'x'}"),
        14,
        "BSON field 'ping.lsid.id' is the wrong type 'string', expected type 'binData'");
    assertCode(run("ping: 1, lsid: {id: {$binary: {base64: 'AAAA', subType: '04'}}}"), 14);
    assertCode(run("ping: 1, " + LSID.replace("'04'", "'00'")), 14);
    assertCode(run("ping: 1, " + LSID.replace("lsid: {", "lsid: {x: 1, ")), 40415);
  }

  @Test
  void retryableWritesAndTransactionsNeedAReplicaSet() {
    String insert = "insert: 'c', documents: [{}], txnNumber: {$numberLong: '1'}";
    assertError(
        run(insert + ", " + LSID),
        20,
        "Transaction numbers are only allowed on a replica set member or mongos");
    assertError(run(insert), 72, "Transaction number requires a session ID to also be specified");
    assertCode(run(insert + ", autocommit: false, startTransaction: true, " + LSID), 20);
    assertError(
        run("find: 'c', autocommit: false, " + LSID),
        72,
        "'autocommit' field requires a transaction number to also be specified");
    assertCode(run("find: 'c', txnNumber: 1, " + LSID), 14);
  }

  @Test
  void argumentsWithoutAnEffectHere() {
    assertOk(
        run(
            "find: 'c', $readPreference: {mode: 'primaryPreferred'}, comment: {any: 'thing'},"
                + " $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 1}}},"
                + " clientOperationKey: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==',"
                + " subType: '04'}}"));
  }

  @Test
  void help() {
    BsonDocument reply = run("insert: 1, help: true");
    assertOk(reply);
    assertThat(reply.getString("help").getValue()).startsWith("help for: insert");
    assertThat(run("listCommands: 1").getDocument("commands").keySet())
        .contains("find", "insert", "hello", "configureFailPoint");
  }

  @Test
  void sessionCommands() {
    BsonDocument started = run("startSession: 1");
    assertThat(started.getInt32("timeoutMinutes").getValue()).isEqualTo(30);
    String id = started.getDocument("id").toJson();
    assertOk(run("refreshSessions: [" + id + "]"));
    assertOk(run("endSessions: [" + id + "]"));
    assertOk(run("killSessions: [" + id + "]"));
    assertOk(run("killAllSessions: []"));
    assertCode(run("endSessions: 1"), 14);
    assertCode(run("endSessions: [1]"), 14);
    assertCode(run("refreshSessions: 'x'"), 14);
  }
}
