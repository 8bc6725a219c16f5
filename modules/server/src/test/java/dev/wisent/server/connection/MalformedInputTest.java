package dev.wisent.server.connection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that are no message, at the socket. Whatever one connection sends, another one works on, no
 * connection is left over, and each one that is closed for it gives one line in the log.
 */
class MalformedInputTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String LOG_LINE = "Closing connection after a malformed message";
  private static final RawDocument PING = RawDocument.parse("{ping: 1, $db: 'admin'}");

  private RawClient bystander;
  private int connectionsBefore;
  private int linesBefore;

  @BeforeEach
  void connect() {
    bystander = SERVER.connect();
    assertOk(bystander.run(PING));
    connectionsBefore = SERVER.connections();
    linesBefore = SERVER.logLines(LOG_LINE).size();
  }

  @AfterEach
  void nothingElseIsDisturbed() {
    assertOk(bystander.run(PING));
    Eventually.await(
        "connections of bad clients are gone", () -> SERVER.connections() <= connectionsBefore);
    bystander.close();
  }

  private void assertLogLines(int count) {
    Eventually.await("log lines", () -> SERVER.logLines(LOG_LINE).size() >= linesBefore + count);
    assertThat(SERVER.logLines(LOG_LINE)).hasSize(linesBefore + count);
    assertThat(SERVER.logLines("\"s\":\"E\"")).isEmpty();
  }

  private void assertBreaksConnection(Consumer<RawClient> input) {
    try (RawClient client = SERVER.connect()) {
      input.accept(client);
      assertThat(client.isClosedByServer()).isTrue();
    }
    assertLogLines(1);
  }

  @Test
  void randomBytes() {
    long seed = 99;
    var random = new SplittableRandom(seed);
    int rounds = 100;
    for (int i = 0; i < rounds; i++) {
      byte[] bytes = new byte[random.nextInt(16, 3000)];
      random.nextBytes(bytes);
      bytes[3] = (byte) (bytes[3] | 0x80); // a length that cannot be
      try (RawClient client = SERVER.connect()) {
        client.trySend(bytes);
        assertThat(client.isClosedByServer()).as("seed %d round %d", seed, i).isTrue();
      }
    }
    assertLogLines(rounds);
  }

  @Test
  void randomBytesInAGoodFrame() {
    long seed = 100;
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 100; i++) {
      byte[] bytes = new byte[random.nextInt(16, 500)];
      random.nextBytes(bytes);
      int opCode = new int[] {1, 2004, 2012, 2013, 2010, 0, -1}[random.nextInt(7)];
      MessageHeader.write(bytes, bytes.length, 1, 0, opCode);
      try (RawClient client = SERVER.connect()) {
        client.trySend(bytes);
        client.trySend(client.message(0, PING));
        // Either closed, or answered with an error (or with silence, where none was wanted).
        client.isClosedByServer();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 15, 48_000_001, Integer.MAX_VALUE})
  void lengthThatCannotBe(int length) {
    assertBreaksConnection(
        client -> {
          byte[] message = client.message(0, PING);
          LittleEndian.putInt32(message, 0, length);
          client.trySend(message);
        });
  }

  @Test
  void clientThatStopsWithinAFrame() {
    byte[] message;
    try (RawClient client = SERVER.connect()) {
      message = client.message(0, PING);
    }
    for (int length = 1; length < message.length; length += 7) {
      try (RawClient client = SERVER.connect()) {
        client.send(Arrays.copyOf(message, length));
      }
    }
    assertLogLines(0);
  }

  @Test
  void hugeFrameThatNeverComes() {
    try (RawClient client = SERVER.connect()) {
      byte[] header = new byte[20];
      MessageHeader.write(header, 48_000_000, 1, 0, MessageHeader.OP_MSG);
      client.send(header);
    }
    assertLogLines(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 1000, 2001, 2002, 2005, 2006, 2007, 2010, 2011, 999_999})
  void opCodeThatIsNotServed(int opCode) {
    assertBreaksConnection(
        client -> {
          byte[] message = client.message(0, PING);
          LittleEndian.putInt32(message, 12, opCode);
          client.send(message);
        });
  }

  @Test
  void headerAlone() {
    assertBreaksConnection(
        client -> {
          byte[] header = new byte[16];
          MessageHeader.write(header, 16, 1, 0, MessageHeader.OP_MSG);
          client.send(header);
        });
  }

  @Test
  void wrongChecksum() {
    assertBreaksConnection(
        client -> {
          byte[] message = client.message(OpMsg.CHECKSUM_PRESENT, PING);
          byte[] longer = Arrays.copyOf(message, message.length + 4);
          LittleEndian.putInt32(longer, 0, longer.length);
          client.send(longer);
        });
  }

  @Test
  void flagThatMustBeUnderstood() {
    assertBreaksConnection(client -> client.send(client.message(1 << 5, PING)));
  }

  @Test
  void corruptCompression() {
    assertBreaksConnection(
        client -> {
          byte[] message = new byte[60];
          MessageHeader.write(message, message.length, 1, 0, MessageHeader.OP_COMPRESSED);
          LittleEndian.putInt32(message, 16, MessageHeader.OP_MSG);
          LittleEndian.putInt32(message, 20, 40_000_000);
          message[24] = 3;
          client.send(message);
        });
  }

  /** Good frames with bad documents: the client is told, and the connection stays. */
  @Test
  void badBsonInAGoodFrame() {
    try (RawClient client = SERVER.connect()) {
      byte[] good = client.message(0, RawDocument.parse("{ping: 1, s: 'text', $db: 'admin'}"));
      int body = MessageHeader.BYTES + 5;
      int[][] damages = {
        {body + 4, 0x44}, {body, 0x7F}, {body, 4}, {good.length - 1, 7}, {body + 14, 0}
      };
      for (int[] damage : damages) {
        byte[] bad = good.clone();
        bad[damage[0]] = (byte) damage[1];
        client.send(bad);
        assertCode(RawClient.body(client.receive()), 22);
      }
      assertOk(client.run(PING));
    }
    assertLogLines(0);
  }

  @Test
  void badUtf8() {
    try (RawClient client = SERVER.connect()) {
      byte[] bad = client.message(0, RawDocument.parse("{ping: 1, s: 'QQQQ', $db: 'admin'}"));
      for (int i = 0; i + 3 < bad.length; i++) {
        if (bad[i] == 'Q') {
          bad[i] = (byte) 0xFF;
        }
      }
      client.send(bad);
      assertCode(RawClient.body(client.receive()), 22);
      assertOk(client.run(PING));
    }
  }

  @Test
  void deepNesting() {
    try (RawClient client = SERVER.connect()) {
      assertCode(client.run(nested(250)), 15);
      assertCode(client.run(nested(100_000)), 15);
      assertOk(client.run(nested(150)));
    }
  }

  private static RawDocument nested(int levels) {
    byte[] bytes = new byte[8 * levels + 5];
    for (int level = 0; level < levels; level++) {
      LittleEndian.putInt32(bytes, 7 * level, bytes.length - 8 * level);
      bytes[7 * level + 4] = 3;
      bytes[7 * level + 5] = 'a';
    }
    LittleEndian.putInt32(bytes, 7 * levels, 5);
    var builder = new BsonBuilder();
    builder.appendInt32("ping", 1).appendString("$db", "admin");
    builder.appendDocument("comment", RawDocument.of(bytes));
    return builder.toDocument();
  }

  @Test
  void sectionsThatMakeNoCommand() {
    try (RawClient client = SERVER.connect()) {
      byte[] noBody = new byte[20];
      MessageHeader.write(noBody, 20, 1, 0, MessageHeader.OP_MSG);
      client.send(noBody);
      assertCode(RawClient.body(client.receive()), 40587);
      byte[] unknownKind = client.message(0, PING);
      unknownKind[20] = 9;
      client.send(unknownKind);
      assertCode(RawClient.body(client.receive()), 40432);
      assertOk(client.run(PING));
    }
    assertLogLines(0);
  }

  @Test
  void errorsOfSilentMessagesStaySilent() {
    try (RawClient client = SERVER.connect()) {
      byte[] bad = client.message(OpMsg.MORE_TO_COME, PING);
      bad[25] = 0x44;
      client.send(bad);
      assertOk(client.run(PING));
    }
  }
}
