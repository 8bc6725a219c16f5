package dev.wisent.server.message;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Messages around commands, in all their forms, and with damage. */
final class RandomFrames {
  private static final int CHANGES_MAX = 6;
  private static final byte[] COMMANDS = {'a', 'd', 'm', 'i', 'n', '.', '$', 'c', 'm', 'd', 0};

  private final SplittableRandom random;

  RandomFrames(SplittableRandom random) {
    this.random = random;
  }

  static byte[] opMsg(RawDocument body) {
    byte[] command = body.toByteArray();
    byte[] message = new byte[MessageHeader.BYTES + 5 + command.length];
    MessageHeader.write(message, message.length, 1, 0, MessageHeader.OP_MSG);
    System.arraycopy(command, 0, message, MessageHeader.BYTES + 5, command.length);
    return message;
  }

  static byte[] opQuery(RawDocument body) {
    byte[] command = body.toByteArray();
    int end = MessageHeader.BYTES + 4 + COMMANDS.length;
    byte[] query = new byte[end + 8 + command.length];
    MessageHeader.write(query, query.length, 1, 0, MessageHeader.OP_QUERY);
    System.arraycopy(COMMANDS, 0, query, MessageHeader.BYTES + 4, COMMANDS.length);
    LittleEndian.putInt32(query, end + 4, -1);
    System.arraycopy(command, 0, query, end + 8, command.length);
    return query;
  }

  /** A message with a command, in any form. */
  byte[] around(RawDocument body) {
    return switch (random.nextInt(10)) {
      case 0 -> opQuery(body);
      case 1 -> {
        byte[] inner = opMsg(body);
        Compressor[] all = Compressor.values();
        yield CompressedMessage.wrap(inner, inner.length, all[random.nextInt(all.length)]);
      }
      case 2 -> withSequence(body);
      default -> opMsg(body);
    };
  }

  /** With a second section, which has the command once more. */
  private static byte[] withSequence(RawDocument body) {
    byte[] plain = opMsg(body);
    byte[] command = body.toByteArray();
    int size = 4 + 2 + command.length;
    byte[] message = Arrays.copyOf(plain, plain.length + 1 + size);
    int at = plain.length;
    message[at] = 1;
    LittleEndian.putInt32(message, at + 1, size);
    message[at + 5] = 'd';
    System.arraycopy(command, 0, message, at + 7, command.length);
    return message;
  }

  byte[] changed(byte[] message) {
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
