package dev.wisent.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server whose budget for messages is small, and clients that want more. */
class MessageMemoryServerTest {
  private static final int BUDGET_BYTES = 8 << 20;
  private static final int LARGE_BYTES = 2 << 20;

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options
                  .setParameter("messageMemoryLimitBytes", Integer.toString(BUDGET_BYTES))
                  .setParameter("messageMemorySlowClientMillis", "500"));

  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void everythingIsGivenBack() {
    clients.forEach(RawClient::close);
    SERVER.admin("{setParameter: 1, messageMemoryLimitBytes: " + BUDGET_BYTES + "}");
    Eventually.await("all memory is given back", () -> memory("usedBytes") == 0);
    assertThat(memoryStatus().getDocument("waiting").toJson())
        .isEqualTo("{\"messages\": 0, \"operations\": 0}");
  }

  private RawClient connect() {
    var client = SERVER.connect();
    clients.add(client);
    return client;
  }

  private static BsonDocument memoryStatus() {
    try (RawClient client = SERVER.connect()) {
      return client.run("{serverStatus: 1, $db: 'admin'}").getDocument("messageMemory");
    }
  }

  private static long memory(String figure) {
    return memoryStatus().getNumber(figure).longValue();
  }

  private static int waiting(String kind) {
    return memoryStatus().getDocument("waiting").getNumber(kind).intValue();
  }

  private static RawDocument insert(String collection, int id, int bytes) {
    BsonDocument command =
        BsonDocument.parse("{insert: '" + collection + "', $db: 'test', documents: [{}]}");
    command
        .getArray("documents")
        .get(0)
        .asDocument()
        .append("_id", new BsonInt32(id))
        .append("data", new BsonBinary(new byte[bytes]));
    return RawDocument.of(command);
  }

  private static void assertAlive() {
    try (RawClient client = SERVER.connect()) {
      assertThat(client.run("{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue())
          .isTrue();
      assertThat(client.run("{currentOp: 1, $all: true, $db: 'admin'}").getArray("inprog"))
          .isNotEmpty();
      assertThat(client.run("{killOp: 1, op: 2147483647, $db: 'admin'}").getNumber("ok").intValue())
          .isEqualTo(1);
      assertThat(client.run("{insert: 'small', documents: [{}], $db: 'test'}").getNumber("n"))
          .isEqualTo(new BsonInt32(1));
    }
  }

  @Test
  void halfSentMessagesDoNotStopOthers() {
    for (int i = 0; i < 12; i++) {
      RawClient client = connect();
      byte[] message = client.message(0, insert("half", i, LARGE_BYTES));
      client.send(Arrays.copyOf(message, message.length / 2));
    }
    Eventually.await("most wait", () -> waiting("messages") > 6);
    assertThat(memory("usedBytes")).isLessThanOrEqualTo(BUDGET_BYTES);
    assertAlive();
    // In turn, once the slow ones are given up.
    assertThat(connect().run(insert("half", 99, LARGE_BYTES)).getNumber("n"))
        .isEqualTo(new BsonInt32(1));
    assertThat(memory("slowClientsClosed")).isPositive();
    assertThat(SERVER.logLines("its client is slow")).isNotEmpty();
  }

  @Test
  void clientsThatDoNotReadDoNotStopOthers() {
    SERVER.admin("{setParameter: 1, messageMemoryLimitBytes: " + 5 * BUDGET_BYTES + "}");
    SERVER.fresh("unread");
    try (RawClient client = SERVER.connect()) {
      assertThat(client.run(insert("unread", 1, 15 << 20)).getNumber("n"))
          .isEqualTo(new BsonInt32(1));
    }
    for (int i = 0; i < 4; i++) {
      RawClient client = connect();
      client.send(client.message(0, RawDocument.parse("{find: 'unread', $db: 'test'}")));
    }
    Eventually.await("most wait", () -> waiting("operations") > 0);
    // One may go beyond the limit, so that it can end.
    assertThat(memory("usedBytes")).isLessThanOrEqualTo(5 * BUDGET_BYTES + (65 << 20));
    assertAlive();
    BsonDocument late = connect().run("{find: 'unread', maxTimeMS: 50, $db: 'test'}");
    assertThat(late.getNumber("code").intValue()).isEqualTo(50);
    // In turn, once those who do not read are given up.
    BsonDocument reply = connect().run("{find: 'unread', $db: 'test'}");
    assertThat(reply.getDocument("cursor").getArray("firstBatch")).hasSize(1);
    assertThat(memory("slowClientsClosed")).isPositive();
  }

  @Test
  void largeInsertsFollowOneAnother() throws Exception {
    SERVER.fresh("large");
    var replies = new CopyOnWriteArrayList<BsonDocument>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 10; i++) {
      int first = i * 10;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (RawClient client = SERVER.connect()) {
                      for (int id = first; id < first + 3; id++) {
                        replies.add(client.run(insert("large", id, LARGE_BYTES)));
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(replies).hasSize(30).allMatch(reply -> reply.getNumber("n").intValue() == 1);
  }

  @Test
  void whatIsInsideACompressedMessageCounts() {
    RawClient client = connect();
    byte[] open = client.message(0, insert("compressed", 1, 12 << 20));
    byte[] bomb = CompressedMessage.wrap(open, open.length, Compressor.ZLIB);
    assertThat(bomb).as("small by itself").hasSizeLessThan(64 * 1024);
    RawClient holder = connect();
    byte[] held = holder.message(0, insert("compressed", 2, LARGE_BYTES));
    holder.send(Arrays.copyOf(held, held.length / 2));
    Eventually.await("something is held", () -> memory("usedBytes") >= LARGE_BYTES);
    client.send(bomb);
    Eventually.await("it waits", () -> waiting("messages") == 1);
    holder.send(Arrays.copyOfRange(held, held.length / 2, held.length));
    assertThat(RawClient.body(holder.receive()).getNumber("n")).isEqualTo(new BsonInt32(1));
    assertThat(RawClient.body(client.receive()).getNumber("n")).isEqualTo(new BsonInt32(1));
    assertThat(memory("peakBytes")).isGreaterThan(12 << 20);
  }

  @Test
  void aCompressedMessageWithAnImpossibleClaimEndsItsConnectionOnly() {
    RawClient client = connect();
    byte[] open = client.message(0, RawDocument.parse("{ping: 1, $db: 'admin'}"));
    byte[] message = CompressedMessage.wrap(open, open.length, Compressor.SNAPPY);
    LittleEndian.putInt32(message, MessageHeader.BYTES + 4, Integer.MAX_VALUE);
    client.send(message);
    assertThat(client.isClosedByServer()).isTrue();
    assertAlive();
  }

  @Test
  void theLimitHasBounds() {
    assertThat(SERVER.fail("admin", "{setParameter: 1, messageMemoryLimitBytes: 1000}").toJson())
        .contains("is not greater than or equal to");
    assertThat(
            SERVER
                .fail("admin", "{setParameter: 1, messageMemoryLimitBytes: 1000000000000000}")
                .toJson())
        .contains("is not less than or equal to");
  }
}
