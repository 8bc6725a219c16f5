package dev.wisent.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplyBufferTest {
  private static final RawDocument OK = RawDocument.parse("{ok: 1.0}");

  private final ReplyBuffer reply = new ReplyBuffer();

  private OpMsg parsed() {
    assertThat(MessageHeader.length(reply.bytes())).isEqualTo(reply.length());
    return OpMsg.parse(reply.bytes(), reply.length());
  }

  @Test
  void opMsg() {
    reply.startMessage().appendDouble("ok", 1);
    reply.finishMessage(5, 6, 0);
    assertThat(MessageHeader.requestId(reply.bytes())).isEqualTo(5);
    assertThat(MessageHeader.responseTo(reply.bytes())).isEqualTo(6);
    assertThat(MessageHeader.opCode(reply.bytes())).isEqualTo(MessageHeader.OP_MSG);
    assertThat(parsed().body()).isEqualTo(OK);
  }

  @Test
  void flagsAndChecksum() {
    reply.startMessage().appendDouble("ok", 1);
    reply.finishMessage(5, 6, OpMsg.CHECKSUM_PRESENT | OpMsg.MORE_TO_COME);
    OpMsg message = parsed();
    assertThat(message.moreToCome()).isTrue();
    assertThat(message.checksumPresent()).isTrue();
    assertThat(message.body()).isEqualTo(OK);
  }

  @Test
  void checksumOfEveryLength() {
    for (int size = 4060; size < 4100; size++) {
      reply.startMessage().appendString("s", "x".repeat(size));
      reply.finishMessage(1, 2, OpMsg.CHECKSUM_PRESENT);
      assertThat(parsed().body().get("s").asString()).hasSize(size);
    }
  }

  @Test
  void isUsedAgain() {
    for (int round = 1; round <= 5; round++) {
      BsonBuilder body = reply.startMessage();
      body.appendString("text", "t".repeat(round * 700_000));
      reply.finishMessage(round, 0, 0);
      assertThat(parsed().body().get("text").asString()).hasSize(round * 700_000);
      reply.startMessage().appendDouble("ok", 1);
      reply.finishMessage(round, 0, 0);
      assertThat(parsed().body()).isEqualTo(OK);
      reply.trim(1 << 20);
      assertThat(reply.capacity()).as("a large array is let go").isLessThanOrEqualTo(1 << 20);
    }
  }

  @Test
  void startingAgainDropsWhatWasBegun() {
    reply.startMessage().startDocument("half").appendInt32("a", 1);
    reply.startMessage().appendDouble("ok", 1);
    reply.finishMessage(1, 2, 0);
    assertThat(parsed().body()).isEqualTo(OK);
  }

  @Test
  void legacyReply() {
    reply.startLegacyReply().appendDouble("ok", 1);
    reply.finishLegacyReply(8, 9);
    byte[] bytes = reply.bytes();
    assertThat(MessageHeader.length(bytes)).isEqualTo(reply.length());
    assertThat(MessageHeader.opCode(bytes)).isEqualTo(MessageHeader.OP_REPLY);
    assertThat(MessageHeader.responseTo(bytes)).isEqualTo(9);
    assertThat(LittleEndian.int32(bytes, 16)).as("flags").isEqualTo(8);
    assertThat(LittleEndian.int64(bytes, 20)).as("cursor id").isZero();
    assertThat(LittleEndian.int32(bytes, 28)).as("starting from").isZero();
    assertThat(LittleEndian.int32(bytes, 32)).as("documents").isEqualTo(1);
    assertThat(new RawDocument(bytes, 36, reply.length() - 36)).isEqualTo(OK);
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void compressed(Compressor compressor) {
    reply.startMessage().appendString("text", "t".repeat(1000));
    reply.finishMessage(3, 4, OpMsg.CHECKSUM_PRESENT);
    byte[] open = java.util.Arrays.copyOf(reply.bytes(), reply.length());
    reply.compress(compressor);
    assertThat(MessageHeader.length(reply.bytes())).isEqualTo(reply.length());
    assertThat(MessageHeader.responseTo(reply.bytes())).isEqualTo(4);
    assertThat(CompressedMessage.unwrap(reply.bytes(), reply.length())).isEqualTo(open);
  }
}
