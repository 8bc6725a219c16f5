package dev.wisent.server.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the fuzz tests look for, in every build for a moment: messages with some bytes changed. */
class UnauthenticatedBytesTest {
  /** {@code -Dwisent.fuzz.rounds=10000000} for a run by hand. */
  private static final int ROUNDS = Integer.getInteger("wisent.fuzz.rounds", 15_000);

  private static final List<String> COMMANDS =
      List.of(
          "{hello: 1, $db: 'admin'}",
          "{hello: 1, helloOk: true, client: {driver: {name: 'd', version: '1'}, os: {type: 'L'}},"
              + " compression: ['zlib'], saslSupportedMechs: 'admin.anna', $db: 'admin'}",
          "{hello: 1, speculativeAuthenticate: {saslStart: 1, mechanism: 'SCRAM-SHA-256', payload:"
              + " {$binary: {base64: 'biwsbj1hbm5hLHI9YWJjZGVm', subType: '00'}}, db: 'admin'},"
              + " $db: 'admin'}",
          "{saslStart: 1, mechanism: 'SCRAM-SHA-1', payload: {$binary: {base64:"
              + " 'biwsbj1hbm5hLHI9YWJjZGVm', subType: '00'}}, options: {skipEmptyExchange: true},"
              + " $db: 'admin'}",
          "{saslContinue: 1, conversationId: 1, payload: {$binary: {base64: 'Yz1iaXdz', subType:"
              + " '00'}}, $db: 'admin'}",
          "{authenticate: 1, mechanism: 'MONGODB-X509', user: 'CN=a', $db: '$external'}",
          "{find: 'c', filter: {a: {$in: [1, 2, {b: [3]}]}}, $db: 'test'}",
          "{aggregate: 'c', pipeline: [{$match: {a: 1}}], cursor: {}, lsid: {id: {$binary: {base64:"
              + " 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}, $db: 'test'}",
          "{logout: 1, $db: 'admin'}",
          "{connectionStatus: 1, showPrivileges: true, $db: 'admin'}",
          "{createUser: 'eve', pwd: 'x', roles: ['root'], $db: 'admin'}");

  private static final int CONVERSATION_MAX = 4;

  /** Says the seed, the number of the message and the message, if the server does not behave. */
  private static void send(
      UnauthenticatedClient.Connection connection, byte[] message, long seed, long number) {
    try {
      connection.send(message);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "seed %d, message %d: %s".formatted(seed, number, HexFormat.of().formatHex(message)), e);
    }
  }

  /** Or the other tests would be about clients that may do everything. */
  @Test
  void theClientHasNotLoggedIn() {
    try (var client = new UnauthenticatedClient()) {
      UnauthenticatedClient.Connection connection = client.connect();
      for (String json :
          List.of(
              "{find: 'c', $db: 'test'}",
              "{createUser: 'eve', pwd: 'x', roles: [], $db: 'admin'}")) {
        connection.send(RandomFrames.opMsg(RawDocument.parse(json)));
        assertThat(connection.code()).as(json).isEqualTo(ErrorCode.UNAUTHORIZED.code());
      }
      connection.send(RandomFrames.opMsg(RawDocument.parse("{hello: 1, $db: 'admin'}")));
      assertThat(connection.code()).isZero();
    }
  }

  @Test
  void changedMessagesAreAnsweredOrEndTheConnection() {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    var frames = new RandomFrames(random);
    List<byte[]> messages = messages();
    try (var client = new UnauthenticatedClient()) {
      for (byte[] message : messages) {
        client.send(message);
      }
      for (long i = 0; i < ROUNDS; i++) {
        byte[] message = frames.changed(messages.get(random.nextInt(messages.size())));
        send(client.connect(), message, seed, i);
      }
    }
  }

  /** Several messages of a connection: the second part of a login follows the first one. */
  @Test
  void conversationsAreAnsweredOrEndTheConnection() {
    long seed = Long.getLong("wisent.seed", 1);
    var random = new SplittableRandom(seed);
    var logins = new RandomLogins(random);
    var frames = new RandomFrames(random);
    long answered = 0;
    long begun = 0;
    try (var client = new UnauthenticatedClient()) {
      long sent = 0;
      while (sent < ROUNDS) {
        UnauthenticatedClient.Connection connection = client.connect();
        RawDocument command = logins.begin();
        for (int i = 0; i < CONVERSATION_MAX && connection.isOpen(); i++) {
          byte[] message = frames.around(command);
          send(
              connection, random.nextInt(4) == 0 ? frames.changed(message) : message, seed, sent++);
          answered += connection.isOpen() ? 1 : 0;
          begun += connection.payload() == null ? 0 : 1;
          command = logins.proceed(connection.payload());
        }
      }
      assertThat(answered).as("messages that were answered").isGreaterThan(sent / 2);
      assertThat(begun).as("logins that the server went on with").isGreaterThan(sent / 100);
    }
  }

  private static List<byte[]> messages() {
    var messages = new ArrayList<byte[]>();
    for (String json : COMMANDS) {
      RawDocument command = RawDocument.parse(json);
      byte[] message = RandomFrames.opMsg(command);
      messages.add(message);
      messages.add(CompressedMessage.wrap(message, message.length, Compressor.ZLIB));
      messages.add(RandomFrames.opQuery(command));
    }
    return messages;
  }
}
