package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import dev.wisent.server.harness.Replies;
import dev.wisent.wire.OpMsg;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fail point with which driver tests make commands fail. */
class FailCommandTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
  }

  @AfterEach
  void off() {
    client.close();
    SERVER.admin("{configureFailPoint: 'failCommand', mode: 'off'}");
  }

  private static BsonDocument on(String mode, String data) {
    return SERVER.admin(
        "{configureFailPoint: 'failCommand', mode: " + mode + ", data: {" + data + "}}");
  }

  private BsonDocument run(String command) {
    return client.run("{" + command + ", $db: 'test'}");
  }

  /** For fail points that only this connection is to meet: the driver says hello as it likes. */
  private void introduce() {
    run(
        "hello: 1, client: {application: {name: 'mine'}, driver: {name: 'd', version: '1'},"
            + " os: {type: 'x'}}");
  }

  @Test
  void errorCode() {
    on("'alwaysOn'", "failCommands: ['find', 'count'], errorCode: 10107");
    for (int i = 0; i < 3; i++) {
      BsonDocument reply = run("find: 'c'");
      assertError(reply, 10107, "Failing command via 'failCommand' failpoint");
      assertThat(reply.getString("codeName").getValue()).isEqualTo("NotWritablePrimary");
      assertThat(reply).doesNotContainKey("errorLabels");
    }
    assertCode(run("count: 'c'"), 10107);
    assertOk(run("distinct: 'c', key: 'a'"));
    SERVER.admin("{configureFailPoint: 'failCommand', mode: 'off'}");
    assertOk(run("find: 'c'"));
  }

  @Test
  void errorCodeWithoutAName() {
    on("{times: 1}", "failCommands: ['ping'], errorCode: 123456");
    BsonDocument reply = run("ping: 1");
    assertCode(reply, 123456);
    assertThat(reply.getString("codeName").getValue()).isEqualTo("Location123456");
  }

  @Test
  void labels() {
    on("{times: 1}", "failCommands: ['insert'], errorCode: 91, errorLabels: ['A', 'B']");
    assertThat(run("insert: 'c', documents: [{}]").getArray("errorLabels"))
        .containsExactly(new BsonString("A"), new BsonString("B"));
  }

  @Test
  void extraInfo() {
    on("{times: 1}", "failCommands: ['ping'], errorCode: 46, errorExtraInfo: {detail: 'x'}");
    assertThat(run("ping: 1").getString("detail").getValue()).isEqualTo("x");
  }

  @Test
  void times() {
    on("{times: 2}", "failCommands: ['find'], errorCode: 2");
    assertCode(run("find: 'c'"), 2);
    assertOk(run("ping: 1"));
    assertCode(run("find: 'c'"), 2);
    assertOk(run("find: 'c'"));
  }

  @Test
  void skip() {
    on("{skip: 2}", "failCommands: ['find'], errorCode: 2");
    assertOk(run("find: 'c'"));
    assertOk(run("find: 'c'"));
    assertCode(run("find: 'c'"), 2);
    assertCode(run("find: 'c'"), 2);
  }

  @Test
  void countOfItsWork() {
    long before =
        on("{times: 3}", "failCommands: ['find'], errorCode: 2").getInt64("count").getValue();
    run("find: 'c'");
    run("find: 'c'");
    BsonDocument off = SERVER.admin("{configureFailPoint: 'failCommand', mode: 'off'}");
    assertThat(off.getInt64("count").getValue()).isEqualTo(before + 2);
  }

  @Test
  void closeConnection() {
    on("{times: 1}", "failCommands: ['find'], closeConnection: true");
    client.send(client.message(0, RawDocument.parse("{find: 'c', $db: 'test'}")));
    assertThat(client.isClosedByServer()).isTrue();
    try (RawClient next = SERVER.connect()) {
      assertOk(next.run("{find: 'c', $db: 'test'}"));
    }
  }

  @Test
  void blockConnection() {
    on("{times: 1}", "failCommands: ['find'], blockConnection: true, blockTimeMS: 200");
    long start = System.nanoTime();
    assertOk(run("find: 'c'"));
    assertThat(System.nanoTime() - start)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
  }

  @Test
  void blockAndFail() {
    on(
        "{times: 1}",
        "failCommands: ['find'], blockConnection: true, blockTimeMS: 50, errorCode: 7");
    assertCode(run("find: 'c'"), 7);
    on(
        "{times: 1}",
        "failCommands: ['find'], blockConnection: true, blockTimeMS: 50, closeConnection: true");
    client.send(client.message(0, RawDocument.parse("{find: 'c', $db: 'test'}")));
    assertThat(client.isClosedByServer()).isTrue();
  }

  @Test
  void blockEndsWithTheTimeLimit() {
    on("{times: 1}", "failCommands: ['find'], blockConnection: true, blockTimeMS: 15000");
    assertCode(run("find: 'c', maxTimeMS: 50"), 50);
  }

  @Test
  void writeConcernError() {
    on(
        "{times: 1}",
        "failCommands: ['insert'], writeConcernError: {code: 64, errmsg: 'late'},"
            + " errorLabels: ['L']");
    BsonDocument reply = run("insert: 'wce', documents: [{}]");
    assertOk(reply);
    assertThat(reply.getInt32("n").getValue()).as("the write is made").isEqualTo(1);
    assertThat(reply.getDocument("writeConcernError").getInt32("code").getValue()).isEqualTo(64);
    assertThat(reply.getArray("errorLabels")).containsExactly(new BsonString("L"));
    assertThat(run("insert: 'wce', documents: [{}]")).doesNotContainKey("writeConcernError");
  }

  @Test
  void appName() {
    on("'alwaysOn'", "failCommands: ['ping'], errorCode: 2, appName: 'mine'");
    assertOk(run("ping: 1"));
    introduce();
    assertCode(run("ping: 1"), 2);
    assertOk(SERVER.admin("{ping: 1}"));
  }

  @Test
  void namespaceAndAllCommands() {
    on("'alwaysOn'", "failAllCommands: true, errorCode: 2, namespace: 'test.chosen'");
    assertCode(run("find: 'chosen'"), 2);
    assertCode(run("insert: 'chosen', documents: [{}]"), 2);
    assertOk(run("find: 'other'"));
  }

  @Test
  void handshakeCanFailToo() {
    introduce();
    on("{times: 1}", "failCommands: ['hello', 'isMaster'], errorCode: 91, appName: 'mine'");
    assertCode(run("isMaster: 1"), 91);
    on("{times: 1}", "failCommands: ['ismaster'], errorCode: 91, appName: 'mine'");
    assertCode(run("isMaster: 1"), 91);
  }

  @Test
  void itselfItCannotFail() {
    on("'alwaysOn'", "failCommands: ['configureFailPoint'], errorCode: 2");
    assertOk(SERVER.admin("{configureFailPoint: 'failCommand', mode: 'off'}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{configureFailPoint: 'failCommand'}",
        "{configureFailPoint: 'failCommand', mode: 'sometimes'}",
        "{configureFailPoint: 'failCommand', mode: 1}",
        "{configureFailPoint: 'failCommand', mode: {}}",
        "{configureFailPoint: 'failCommand', mode: {times: -1}}",
        "{configureFailPoint: 'failCommand', mode: {times: 'x'}}",
        "{configureFailPoint: 'noSuchPoint', mode: 'off'}",
        "{configureFailPoint: 'hangAfterStartingIndexBuild', mode: {times: 1}}",
        "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {blockConnection: true}}"
      })
  void badSettings(String command) {
    assertThat(SERVER.fail("admin", command).getNumber("ok").intValue()).isZero();
    assertOk(run("ping: 1"));
  }

  @Test
  void exhaustStreamStopsAtAForcedError() {
    introduce();
    on("{skip: 1}", "failCommands: ['hello'], errorCode: 91, appName: 'mine'");
    String version = Replies.json(run("hello: 1").getDocument("topologyVersion"));
    client.send(
        client.message(
            OpMsg.EXHAUST_ALLOWED,
            RawDocument.parse(
                "{hello: 1, topologyVersion: " + version + ", maxAwaitTimeMS: 10, $db: 'admin'}")));
    byte[] reply = client.receive();
    assertThat(OpMsg.parse(reply, reply.length).moreToCome()).isFalse();
    assertCode(RawClient.body(reply), 91);
  }
}
