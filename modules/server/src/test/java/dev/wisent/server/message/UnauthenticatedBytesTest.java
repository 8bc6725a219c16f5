package dev.wisent.server.message;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the fuzz tests look for, in every build for a moment: messages with some bytes changed. */
class UnauthenticatedBytesTest {
  /** {@code -Dwisent.fuzz.rounds=10000000} for a run by hand. */
  private static final int ROUNDS = Integer.getInteger("wisent.fuzz.rounds", 15_000);

  private static final int CHANGES_MAX = 6;

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

  @Test
  void changedMessagesAreAnsweredOrEndTheConnection() {
    var random = new SplittableRandom(Long.getLong("wisent.seed", 1));
    List<byte[]> messages = messages();
    try (var client = new UnauthenticatedClient()) {
      for (byte[] message : messages) {
        client.send(message);
      }
      for (int i = 0; i < ROUNDS; i++) {
        client.send(changed(messages.get(random.nextInt(messages.size())), random));
      }
    }
  }

  private static List<byte[]> messages() {
    var messages = new ArrayList<byte[]>();
    for (String json : COMMANDS) {
      byte[] command = RawDocument.parse(json).toByteArray();
      byte[] message = new byte[MessageHeader.BYTES + 5 + command.length];
      MessageHeader.write(message, message.length, 1, 0, MessageHeader.OP_MSG);
      System.arraycopy(command, 0, message, MessageHeader.BYTES + 5, command.length);
      messages.add(message);
      messages.add(CompressedMessage.wrap(message, message.length, Compressor.ZLIB));
      byte[] query = new byte[39 + command.length];
      MessageHeader.write(query, query.length, 1, 0, MessageHeader.OP_QUERY);
      byte[] name = {'a', 'd', 'm', 'i', 'n', '.', '$', 'c', 'm', 'd', 0};
      System.arraycopy(name, 0, query, 20, name.length);
      LittleEndian.putInt32(query, 35, -1);
      System.arraycopy(command, 0, query, 39, command.length);
      messages.add(query);
    }
    return messages;
  }

  private static byte[] changed(byte[] message, SplittableRandom random) {
    byte[] changed = message.clone();
    for (int i = random.nextInt(CHANGES_MAX); i >= 0; i--) {
      int at = random.nextInt(MessageHeader.BYTES - 4, changed.length);
      switch (random.nextInt(4)) {
        case 0 -> changed[at] = (byte) random.nextInt();
        case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> changed[at] = (byte) (random.nextBoolean() ? 0 : 0xff);
        default ->
            changed =
                Arrays.copyOf(changed, random.nextInt(MessageHeader.BYTES, changed.length + 20));
      }
    }
    return changed;
  }
}
