package dev.wisent.server.message;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.wire.MessageHeader;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * All that clients reach before they log in, with bytes of any kind. In a normal build this runs on
 * the stored inputs. With {@code JAZZER_FUZZ=1} in the environment and {@code -Djazzer.hooks=true}
 * it searches for new ones; see CONTRIBUTING.md.
 */
class UnauthenticatedFuzzTest {
  private static UnauthenticatedClient client;

  @BeforeAll
  static void start() {
    client = new UnauthenticatedClient();
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  /** A whole message; only its length is made right. */
  @FuzzTest(maxDuration = "10m")
  void messages(byte[] bytes) {
    client.send(bytes);
  }

  @FuzzTest(maxDuration = "10m")
  void hellos(byte[] fields) {
    client.sendCommand("hello", fields);
  }

  @FuzzTest(maxDuration = "10m")
  void loginPayloads(byte[] bytes) {
    String mechanism =
        switch (bytes.length == 0 ? 0 : bytes[0] & 3) {
          case 0 -> "SCRAM-SHA-256";
          case 1 -> "SCRAM-SHA-1";
          case 2 -> "MONGODB-X509";
          default -> "PLAIN";
        };
    byte[] payload = bytes.length == 0 ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length);
    client.sendCommand(
        new BsonBuilder()
            .appendInt32("saslStart", 1)
            .appendString("mechanism", mechanism)
            .appendBinary("payload", (byte) 0, payload)
            .appendString("$db", "admin")
            .toDocument());
  }

  @FuzzTest(maxDuration = "10m")
  void loginArguments(byte[] fields) {
    client.sendCommand(fields.length % 2 == 0 ? "saslStart" : "saslContinue", fields);
  }

  /** OP_QUERY on admin.$cmd; the fuzz is the document. */
  @FuzzTest(maxDuration = "10m")
  void legacyQueries(byte[] document) {
    byte[] name = {'a', 'd', 'm', 'i', 'n', '.', '$', 'c', 'm', 'd', 0};
    byte[] message = new byte[MessageHeader.BYTES + 4 + name.length + 8 + document.length];
    LittleEndian.putInt32(message, 12, MessageHeader.OP_QUERY);
    System.arraycopy(name, 0, message, MessageHeader.BYTES + 4, name.length);
    LittleEndian.putInt32(message, MessageHeader.BYTES + 4 + name.length + 4, -1);
    System.arraycopy(document, 0, message, message.length - document.length, document.length);
    client.send(message);
  }

  /** OP_COMPRESSED; the fuzz is what describes the message inside, and that message. */
  @FuzzTest(maxDuration = "10m")
  void compressedMessages(byte[] bytes) {
    byte[] message = new byte[MessageHeader.BYTES + bytes.length];
    LittleEndian.putInt32(message, 12, MessageHeader.OP_COMPRESSED);
    System.arraycopy(bytes, 0, message, MessageHeader.BYTES, bytes.length);
    client.send(message);
  }
}
