package dev.wisent.server.connection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The handshake, and the hellos with which drivers watch a server. */
@Execution(ExecutionMode.CONCURRENT)
class HelloTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String CLIENT =
      "client: {application: {name: 'app'}, driver: {name: 'd', version: '1'}, os: {type: 'x'}}";

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

  @Test
  void helloTellsWhatDriversNeed() {
    BsonDocument hello = run("hello: 1, helloOk: true, " + CLIENT);
    assertOk(hello);
    assertThat(hello.getBoolean("isWritablePrimary").getValue()).isTrue();
    assertThat(hello.getBoolean("helloOk").getValue()).isTrue();
    assertThat(hello.getInt32("maxBsonObjectSize").getValue()).isEqualTo(16_777_216);
    assertThat(hello.getInt32("maxMessageSizeBytes").getValue()).isEqualTo(48_000_000);
    assertThat(hello.getInt32("maxWriteBatchSize").getValue()).isEqualTo(100_000);
    assertThat(hello.getInt32("logicalSessionTimeoutMinutes").getValue()).isEqualTo(30);
    assertThat(hello.getInt32("minWireVersion").getValue()).isZero();
    assertThat(hello.getInt32("maxWireVersion").getValue()).isEqualTo(25);
    assertThat(hello.getBoolean("readOnly").getValue()).isFalse();
    assertThat(hello.getInt32("connectionId").getValue()).isPositive();
    assertThat(hello.isDateTime("localTime")).isTrue();
    assertThat(hello.getDocument("topologyVersion").isObjectId("processId")).isTrue();
    assertThat(hello.getDocument("topologyVersion").getInt64("counter").getValue()).isZero();
    assertThat(hello).doesNotContainKeys("setName", "msg", "hosts", "ismaster", "compression");
  }

  @Test
  void isMasterAnswersInTheWordsOfItsTime() {
    for (String name : new String[] {"isMaster", "ismaster"}) {
      BsonDocument reply = run(name + ": 1");
      assertThat(reply.getBoolean("ismaster").getValue()).isTrue();
      assertThat(reply).doesNotContainKeys("isWritablePrimary", "helloOk");
    }
  }

  @Test
  void unknownFieldsAreIgnored() {
    assertOk(run("hello: 1, backpressure: true, loadBalanced: true, whatever: {a: 1}"));
  }

  @Test
  void compressionIsAgreedOn() {
    assertThat(run("hello: 1, compression: ['zlib', 'lz4', 'snappy']").getArray("compression"))
        .extracting(value -> value.asString().getValue())
        .containsExactly("zlib", "snappy");
    assertThat(run("hello: 1, compression: []").getArray("compression")).isEmpty();
  }

  @Test
  void legacyHandshake() {
    client.send(LegacyMessages.query("admin.$cmd", "{isMaster: 1, helloOk: true, " + CLIENT + "}"));
    byte[] reply = client.receive();
    assertThat(MessageHeader.opCode(reply)).isEqualTo(MessageHeader.OP_REPLY);
    assertThat(MessageHeader.responseTo(reply)).isEqualTo(LegacyMessages.REQUEST_ID);
    BsonDocument body = RawClient.body(reply);
    assertThat(body.getBoolean("ismaster").getValue()).isTrue();
    assertThat(body.getBoolean("helloOk").getValue()).isTrue();
    assertOk(run("ping: 1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {hello: 1}
          {buildInfo: 1}
          {$query: {isMaster: 1}, $readPreference: {mode: 'secondary'}}
          """)
  void legacyCommandsThatAreServed(String command) {
    client.send(LegacyMessages.query("admin.$cmd", command));
    assertOk(RawClient.body(client.receive()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          admin.$cmd | {ping: 1} | ping
          test.$cmd | {find: 'c'} | find
          test.$cmd | {insert: 'c', documents: [{}]} | insert
          """)
  void legacyCommandsThatAreNot(String namespace, String command, String name) {
    client.send(LegacyMessages.query(namespace, command));
    BsonDocument reply = RawClient.body(client.receive());
    assertError(
        reply,
        352,
        "Unsupported OP_QUERY command: " + name + ". The client driver may require an upgrade.");
    assertOk(run("ping: 1"));
  }

  @Test
  void legacyQueryOfACollection() {
    client.send(LegacyMessages.query("test.c", "{a: 1}"));
    assertCode(RawClient.body(client.receive()), 352);
  }

  @Test
  void clientMetadataIsCheckedAndKept() {
    assertCode(run("hello: 1, client: 'x'"), 14);
    assertCode(run("hello: 1, client: {}"), 183);
    assertCode(run("hello: 1, client: {driver: {name: 'd', version: '1'}}"), 183);
    assertCode(run("hello: 1, client: {driver: {name: 'd'}, os: {type: 'x'}}"), 183);
    assertCode(run("hello: 1, " + CLIENT.replace("'app'", "'" + "a".repeat(129) + "'")), 184);
    assertCode(run("hello: 1, " + CLIENT.replace("'x'", "'" + "o".repeat(1000) + "'")), 185);
    assertOk(run("hello: 1, " + CLIENT.replace("'app'", "'" + "a".repeat(128) + "'")));
    assertError(
        run("hello: 1, " + CLIENT),
        186,
        "The client metadata document may only be sent in the first hello");
    assertThat(run("currentOp: 1").getArray("inprog").toString()).contains("a".repeat(128));
  }

  private BsonDocument version() {
    return run("hello: 1").getDocument("topologyVersion");
  }

  @Test
  void awaitableHelloWaitsForItsTime() {
    String version = json(version());
    long start = System.nanoTime();
    assertOk(run("hello: 1, topologyVersion: " + version + ", maxAwaitTimeMS: 300"));
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(250));
  }

  @Test
  void awaitableHelloOfAnotherProcessDoesNotWait() {
    String version = "{processId: {$oid: '507f1f77bcf86cd799439011'}, counter: {$numberLong: '5'}}";
    long start = System.nanoTime();
    assertOk(run("hello: 1, topologyVersion: " + version + ", maxAwaitTimeMS: 55000"));
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(50));
  }

  @Test
  void awaitableHelloIsChecked() {
    BsonDocument version = version();
    assertError(
        run("hello: 1, topologyVersion: " + json(version)),
        31368,
        "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
    assertError(
        run("hello: 1, maxAwaitTimeMS: 10"),
        31368,
        "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
    assertCode(run("hello: 1, maxAwaitTimeMS: -1, topologyVersion: " + json(version)), 31373);
    assertCode(run("hello: 1, maxAwaitTimeMS: 'x', topologyVersion: " + json(version)), 14);
    assertCode(run("hello: 1, maxAwaitTimeMS: 1, topologyVersion: 1"), 14);
    assertCode(run("hello: 1, maxAwaitTimeMS: 1, topologyVersion: {}"), 40414);
    version.put("counter", new BsonInt64(-1));
    assertCode(run("hello: 1, maxAwaitTimeMS: 1, topologyVersion: " + json(version)), 31372);
    version.put("counter", new BsonInt64(1000));
    assertCode(run("hello: 1, maxAwaitTimeMS: 1, topologyVersion: " + json(version)), 31382);
  }

  @Test
  void streamingHelloGoesOnByItself() {
    String hello =
        "{hello: 1, topologyVersion: " + json(version()) + ", maxAwaitTimeMS: 50, $db: 'admin'}";
    client.send(client.message(OpMsg.EXHAUST_ALLOWED, RawDocument.parse(hello)));
    int responseTo = client.lastRequestId();
    for (int i = 0; i < 5; i++) {
      byte[] reply = client.receive();
      OpMsg message = OpMsg.parse(reply, reply.length);
      assertThat(message.moreToCome()).isTrue();
      assertThat(MessageHeader.responseTo(reply)).isEqualTo(responseTo);
      assertThat(message.body().toBsonDocument()).containsKey("topologyVersion");
      responseTo = MessageHeader.requestId(reply);
    }
  }

  @Test
  void clientThatLeavesDuringTheWaitIsNoticed() {
    try (RawClient monitor = SERVER.connect()) {
      String hello =
          "{hello: 1, topologyVersion: "
              + json(version())
              + ", maxAwaitTimeMS: 60000, $db: 'admin'}";
      monitor.send(monitor.message(OpMsg.EXHAUST_ALLOWED, RawDocument.parse(hello)));
      Eventually.await("it waits", () -> SERVER.connections() >= 2);
    }
    Eventually.await("its connection is gone", () -> SERVER.connections() == 1);
  }

  @Test
  void withoutLeaveThereIsOneReply() {
    assertOk(run("hello: 1, topologyVersion: " + json(version()) + ", maxAwaitTimeMS: 1"));
    client.send(
        client.message(OpMsg.EXHAUST_ALLOWED, RawDocument.parse("{hello: 1, $db: 'admin'}")));
    byte[] reply = client.receive();
    assertThat(OpMsg.parse(reply, reply.length).moreToCome()).isFalse();
    assertThat(client.staysSilent(200)).isTrue();
    assertOk(run("ping: 1"));
  }
}
