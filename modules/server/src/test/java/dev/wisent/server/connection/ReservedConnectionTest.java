package dev.wisent.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server whose connections are all in use still lets in those who find out why. */
class ReservedConnectionTest {
  private static final int CONNECTIONS_MAX = 5;

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(options -> options.maxConnections(CONNECTIONS_MAX));

  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void disconnect() {
    clients.forEach(RawClient::close);
    Eventually.await("all have gone", () -> SERVER.connections() == 0);
  }

  private RawClient connect() {
    var client = SERVER.connect();
    clients.add(client);
    return client;
  }

  private void useAll() {
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      assertOk(connect().run("{hello: 1, $db: 'admin'}"));
    }
  }

  private static void assertOk(BsonDocument reply) {
    assertThat(reply.getNumber("ok").intValue()).as(reply.toJson()).isEqualTo(1);
  }

  @Test
  void administrationIsServedBeyondTheLimit() {
    useAll();
    RawClient client = connect();
    assertOk(client.run("{hello: 1, $db: 'admin'}"));
    assertOk(client.run("{ping: 1, $db: 'admin'}"));
    assertOk(client.run("{currentOp: 1, $db: 'admin'}"));
    assertOk(client.run("{aggregate: 1, pipeline: [{$currentOp: {}}], cursor: {}, $db: 'admin'}"));
    assertOk(client.run("{killOp: 1, op: 2147483647, $db: 'admin'}"));
    BsonDocument status = client.run("{serverStatus: 1, $db: 'admin'}").getDocument("connections");
    assertThat(status.getInt32("current").getValue()).isEqualTo(CONNECTIONS_MAX + 1);
    assertThat(status.getInt32("available").getValue()).isZero();
  }

  @Test
  void otherCommandsAreRefusedAndEndTheConnection() {
    useAll();
    RawClient client = connect();
    BsonDocument reply = client.run("{find: 'c', $db: 'test'}");
    assertThat(reply.getNumber("code").intValue()).isEqualTo(402);
    assertThat(reply.getString("codeName").getValue()).isEqualTo("ResourceExhausted");
    assertThat(client.isClosedByServer()).isTrue();
  }

  @Test
  void clientsThatOnlyConnectDoNotKeepAdministratorsOut() {
    useAll();
    RawClient administrator = connect();
    assertOk(administrator.run("{serverStatus: 1, $db: 'admin'}"));
    RawClient firstOfOthers = connect();
    for (int i = 0; i < 2 * Limits.RESERVED_CONNECTIONS; i++) {
      assertOk(connect().run("{hello: 1, $db: 'admin'}"));
    }
    assertThat(firstOfOthers.isClosedByServer()).isTrue();
    assertOk(administrator.run("{currentOp: 1, $db: 'admin'}"));
    RawClient late = connect();
    assertOk(late.run("{serverStatus: 1, $db: 'admin'}"));
    assertThat(SERVER.logLines("Connection refused because there are too many")).isNotEmpty();
  }

  @Test
  void administrationIsServedWhileAllConnectionsWaitForALock() {
    try (RawClient locking = SERVER.connect()) {
      assertOk(locking.run("{fsync: 1, lock: true, $db: 'admin'}"));
    }
    Eventually.await("it has gone", () -> SERVER.connections() == 0);
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      RawClient writer = connect();
      writer.send(
          writer.message(0, RawDocument.parse("{insert: 'locked', documents: [{}], $db: 'test'}")));
    }
    RawClient client = connect();
    Eventually.await(
        "all wait",
        () ->
            client.run("{currentOp: 1, ns: 'test.locked', $db: 'admin'}").getArray("inprog").size()
                == CONNECTIONS_MAX);
    int victim =
        client
            .run("{currentOp: 1, ns: 'test.locked', $db: 'admin'}")
            .getArray("inprog")
            .getFirst()
            .asDocument()
            .getInt32("opid")
            .getValue();
    assertOk(client.run("{killOp: 1, op: " + victim + ", $db: 'admin'}"));
    assertOk(client.run("{hello: 1, $db: 'admin'}"));
    assertOk(client.run("{serverStatus: 1, $db: 'admin'}"));
    assertOk(client.run("{fsyncUnlock: 1, $db: 'admin'}"));
    int written = 0;
    for (RawClient writer : clients.subList(0, CONNECTIONS_MAX)) {
      written += RawClient.body(writer.receive()).getNumber("ok").intValue();
    }
    assertThat(written).isEqualTo(CONNECTIONS_MAX - 1);
  }

  @Test
  void aConnectionThatGoesMakesRoom() {
    useAll();
    clients.getFirst().close();
    Eventually.await(
        "there is room",
        () -> {
          try (RawClient client = SERVER.connect()) {
            return client.run("{find: 'c', $db: 'test'}").getNumber("ok").intValue() == 1;
          }
        });
  }
}
