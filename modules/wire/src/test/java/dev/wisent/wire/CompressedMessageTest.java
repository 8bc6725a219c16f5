package dev.wisent.wire;

import static dev.wisent.wire.TestMessages.body;
import static dev.wisent.wire.TestMessages.document;
import static dev.wisent.wire.TestMessages.opCompressed;
import static dev.wisent.wire.TestMessages.opMsg;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Limits;
import dev.wisent.bson.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedMessageTest {
  private static final byte[] MESSAGE =
      opMsg(0, body(document("{ping: 1, $db: 'admin', text: '" + "abc".repeat(200) + "'}")));
  private static final int SIZE = MESSAGE.length - MessageHeader.BYTES;

  private static byte[] wrap(Compressor compressor) {
    return CompressedMessage.wrap(MESSAGE, MESSAGE.length, compressor);
  }

  private static byte[] unwrap(byte[] message) {
    return CompressedMessage.unwrap(message, message.length);
  }

  private static void assertRefused(byte[] message) {
    assertThatThrownBy(() -> unwrap(message)).isInstanceOf(WireException.class);
  }

  /** The compressed bytes of {@link #MESSAGE}, without what stands before them. */
  private static byte[] data(Compressor compressor) {
    byte[] wrapped = wrap(compressor);
    return Arrays.copyOfRange(wrapped, MessageHeader.BYTES + 9, wrapped.length);
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void comesBackAsItWas(Compressor compressor) {
    byte[] wrapped = wrap(compressor);
    assertThat(MessageHeader.length(wrapped)).isEqualTo(wrapped.length);
    assertThat(MessageHeader.opCode(wrapped)).isEqualTo(MessageHeader.OP_COMPRESSED);
    assertThat(CompressedMessage.compressorOf(wrapped, wrapped.length)).isEqualTo(compressor);
    assertThat(unwrap(wrapped)).isEqualTo(MESSAGE);
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void messagesOfAllSizesComeBack(Compressor compressor) {
    long seed = 20_260;
    var random = new SplittableRandom(seed);
    for (int size : new int[] {0, 1, 2, 63, 1000, 65_536, 1 << 20}) {
      byte[] content = new byte[size];
      if (size % 2 == 0) {
        random.nextBytes(content);
      }
      byte[] message = TestMessages.message(MessageHeader.OP_MSG, content);
      byte[] wrapped = CompressedMessage.wrap(message, message.length, compressor);
      assertThat(unwrap(wrapped)).as("%d bytes, seed %d", size, seed).isEqualTo(message);
    }
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void wrongClaimedSizes(Compressor compressor) {
    byte[] data = data(compressor);
    for (int claimed :
        new int[] {
          Integer.MIN_VALUE,
          -1,
          0,
          1,
          SIZE - 1,
          SIZE + 1,
          2 * SIZE,
          Limits.MESSAGE_BYTES_MAX - 16,
          Limits.MESSAGE_BYTES_MAX,
          Integer.MAX_VALUE
        }) {
      assertRefused(opCompressed(MessageHeader.OP_MSG, claimed, compressor.id(), data));
    }
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void truncatedData(Compressor compressor) {
    byte[] wrapped = wrap(compressor);
    for (int length = MessageHeader.BYTES; length < wrapped.length; length++) {
      assertRefused(Arrays.copyOf(wrapped, length));
    }
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void corruptDataNeverGivesAMessageOfAnotherSize(Compressor compressor) {
    long seed = 4711;
    var random = new SplittableRandom(seed);
    byte[] wrapped = wrap(compressor);
    for (int round = 0; round < 2000; round++) {
      byte[] changed = wrapped.clone();
      int at = MessageHeader.BYTES + 9 + random.nextInt(wrapped.length - MessageHeader.BYTES - 9);
      changed[at] = (byte) random.nextInt();
      try {
        assertThat(unwrap(changed)).as("seed %d round %d", seed, round).hasSize(MESSAGE.length);
      } catch (WireException e) {
        assertThat(e).hasMessageContaining("compressed message");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 100, 127, -1, -128})
  void unknownCompressor(int id) {
    assertRefused(opCompressed(MessageHeader.OP_MSG, SIZE, id, data(Compressor.ZLIB)));
  }

  @Test
  void compressedInsideCompressed() {
    byte[] inner = wrap(Compressor.SNAPPY);
    byte[] outer = CompressedMessage.wrap(inner, inner.length, Compressor.ZLIB);
    assertRefused(outer);
  }

  @Test
  void zlibStreamThatGoesOnAfterTheClaimedSize() throws IOException {
    assertRefused(
        opCompressed(MessageHeader.OP_MSG, 10, Compressor.ZLIB.id(), deflate(new byte[11])));
    byte[] exact =
        opCompressed(MessageHeader.OP_MSG, 10, Compressor.ZLIB.id(), deflate(new byte[10]));
    assertThat(unwrap(exact)).hasSize(26);
  }

  private static byte[] deflate(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var deflated = new DeflaterOutputStream(out, new Deflater(Deflater.BEST_COMPRESSION))) {
      deflated.write(bytes);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void aSmallMessageThatClaimsMuchCostsLittle(Compressor compressor) {
    byte[] message =
        opCompressed(
            MessageHeader.OP_MSG,
            Limits.MESSAGE_BYTES_MAX - MessageHeader.BYTES,
            compressor.id(),
            data(compressor));
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertRefused(message);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10 << 20);
  }

  @Test
  void headerOfTheInnerMessageIsMadeAnew() {
    byte[] wrapped = wrap(Compressor.ZSTD);
    LittleEndian.putInt32(wrapped, 4, 12345);
    LittleEndian.putInt32(wrapped, 8, 678);
    byte[] inner = unwrap(wrapped);
    assertThat(MessageHeader.length(inner)).isEqualTo(inner.length);
    assertThat(MessageHeader.requestId(inner)).isEqualTo(12345);
    assertThat(MessageHeader.responseTo(inner)).isEqualTo(678);
    assertThat(MessageHeader.opCode(inner)).isEqualTo(MessageHeader.OP_MSG);
  }

  @Test
  void namesAndNumbersOfTheProtocol() {
    assertThat(Compressor.byName("snappy")).contains(Compressor.SNAPPY);
    assertThat(Compressor.byName("zlib")).contains(Compressor.ZLIB);
    assertThat(Compressor.byName("zstd")).contains(Compressor.ZSTD);
    assertThat(Compressor.byName("lz4")).isEmpty();
    assertThat(Compressor.byId(1)).contains(Compressor.SNAPPY);
    assertThat(Compressor.byId(2)).contains(Compressor.ZLIB);
    assertThat(Compressor.byId(3)).contains(Compressor.ZSTD);
  }
}
