package dev.wisent.server.connection;

import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies answer in kind: with the compression and the checksum of the request, in order. */
class MessageHandlingTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final RawDocument PING = RawDocument.parse("{ping: 1, $db: 'admin'}");

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void compressedRequestGetsACompressedReply(Compressor compressor) {
    byte[] message = client.message(0, PING);
    client.send(CompressedMessage.wrap(message, message.length, compressor));
    byte[] reply = client.receive();
    assertThat(MessageHeader.opCode(reply)).isEqualTo(MessageHeader.OP_COMPRESSED);
    assertThat(CompressedMessage.compressorOf(reply, reply.length)).isEqualTo(compressor);
    assertThat(MessageHeader.responseTo(reply)).isEqualTo(client.lastRequestId());
    assertOk(RawClient.body(reply));
    assertOk(client.run(PING));
  }

  @Test
  void checksumIsAnsweredWithAChecksum() {
    byte[] message = client.message(OpMsg.CHECKSUM_PRESENT, PING);
    byte[] longer = Arrays.copyOf(message, message.length + 4);
    LittleEndian.putInt32(longer, 0, longer.length);
    var crc = new CRC32C();
    crc.update(longer, 0, message.length);
    LittleEndian.putInt32(longer, message.length, (int) crc.getValue());
    client.send(longer);
    byte[] reply = client.receive();
    OpMsg parsed = OpMsg.parse(reply, reply.length);
    assertThat(parsed.checksumPresent()).isTrue();
    assertOk(parsed.body().toBsonDocument());
  }

  @Test
  void severalRequestsInOneWriteAreAnsweredInOrder() {
    byte[][] messages = new byte[20][];
    int length = 0;
    for (int i = 0; i < messages.length; i++) {
      messages[i] = client.message(0, PING);
      length += messages[i].length;
    }
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] message : messages) {
      System.arraycopy(message, 0, all, at, message.length);
      at += message.length;
    }
    client.send(all);
    for (byte[] message : messages) {
      assertThat(MessageHeader.responseTo(client.receive()))
          .isEqualTo(MessageHeader.requestId(message));
    }
  }

  @Test
  void largeMessages() {
    String text = "x".repeat(4_000_000);
    BsonDocument reply =
        client.run("{insert: 'large', documents: [{_id: 1, t: '" + text + "'}], $db: 'test'}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
    byte[] request = client.message(0, RawDocument.parse("{find: 'large', $db: 'test'}"));
    client.send(CompressedMessage.wrap(request, request.length, Compressor.ZSTD));
    byte[] found = client.receive();
    assertThat(found.length).isLessThan(1_000_000);
    assertThat(RawClient.body(found).toString().length()).isGreaterThan(4_000_000);
  }

  @Test
  void connectionsAreCounted() {
    assertOk(client.run(PING));
    Eventually.await("those of other tests are gone", () -> SERVER.connections() == 1);
    try (RawClient second = SERVER.connect()) {
      assertOk(second.run(PING));
      // A connection that an earlier test opened and left at once may still be let in and counted.
      Eventually.await("the second one is counted", () -> SERVER.connections() == 2);
    }
    Eventually.await("the second one is gone", () -> SERVER.connections() == 1);
  }
}
