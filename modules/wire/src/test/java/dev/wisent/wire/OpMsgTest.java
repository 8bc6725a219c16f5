package dev.wisent.wire;

import static dev.wisent.wire.TestMessages.body;
import static dev.wisent.wire.TestMessages.document;
import static dev.wisent.wire.TestMessages.int32;
import static dev.wisent.wire.TestMessages.join;
import static dev.wisent.wire.TestMessages.opMsg;
import static dev.wisent.wire.TestMessages.opMsgWithChecksum;
import static dev.wisent.wire.TestMessages.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpMsgTest {
  private static final RawDocument INSERT = document("{insert: 'c', $db: 'd'}");
  private static final RawDocument ONE = document("{_id: 1}");
  private static final RawDocument TWO = document("{_id: 2, text: 'more'}");

  private static OpMsg parse(byte[] message) {
    return OpMsg.parse(message, message.length);
  }

  private static void assertCode(byte[] message, ErrorCode code) {
    assertThatThrownBy(() -> parse(message))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static void assertBreaksConnection(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(WireException.class);
  }

  @Test
  void bodyAlone() {
    OpMsg message = parse(opMsg(0, body(INSERT)));
    assertThat(message.body()).isEqualTo(INSERT);
    assertThat(message.sequences()).isEmpty();
    assertThat(message.moreToCome()).isFalse();
    assertThat(message.exhaustAllowed()).isFalse();
    assertThat(message.checksumPresent()).isFalse();
  }

  @Test
  void sequencesStandBeforeOrBehindTheBody() {
    byte[] documents = sequence("documents", ONE, TWO);
    byte[] others = sequence("others");
    for (byte[] message :
        new byte[][] {
          opMsg(0, body(INSERT), documents, others),
          opMsg(0, documents, others, body(INSERT)),
          opMsg(0, documents, body(INSERT), others)
        }) {
      OpMsg parsed = parse(message);
      assertThat(parsed.body()).isEqualTo(INSERT);
      assertThat(parsed.sequences())
          .extracting(DocumentSequence::name)
          .containsExactly("documents", "others");
      assertThat(parsed.sequences().getFirst().documents()).containsExactly(ONE, TWO);
      assertThat(parsed.sequences().getLast().documents()).isEmpty();
    }
  }

  @Test
  void onlyTheGivenLengthIsRead() {
    byte[] message = opMsg(0, body(INSERT));
    byte[] longer = Arrays.copyOf(message, message.length + 100);
    Arrays.fill(longer, message.length, longer.length, (byte) 7);
    assertThat(OpMsg.parse(longer, message.length).body()).isEqualTo(INSERT);
  }

  @Test
  void flags() {
    OpMsg message = parse(opMsg(OpMsg.MORE_TO_COME | OpMsg.EXHAUST_ALLOWED, body(INSERT)));
    assertThat(message.moreToCome()).isTrue();
    assertThat(message.exhaustAllowed()).isTrue();
  }

  @Test
  void unknownFlagsOfTheUpperHalfAreOptional() {
    assertThat(parse(opMsg(0xFFFF0000, body(INSERT))).body()).isEqualTo(INSERT);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7, 8, 15})
  void unknownFlagsOfTheLowerHalfBreakTheConnection(int bit) {
    assertBreaksConnection(() -> parse(opMsg(1 << bit, body(INSERT))));
  }

  @Test
  void checksumIsVerified() {
    byte[] message = opMsgWithChecksum(0, body(INSERT), sequence("documents", ONE));
    OpMsg parsed = parse(message);
    assertThat(parsed.checksumPresent()).isTrue();
    assertThat(parsed.sequences().getFirst().documents()).containsExactly(ONE);
    for (int i = 0; i < message.length; i++) {
      byte[] changed = message.clone();
      changed[i] ^= 0x40;
      boolean clearsTheFlag = i == 16 && (changed[16] & 1) == 0;
      if (!clearsTheFlag) {
        assertBreaksConnection(() -> parse(changed));
      }
    }
  }

  @Test
  void checksumNeedsRoom() {
    for (int size = 0; size < 4; size++) {
      byte[] message = opMsg(OpMsg.CHECKSUM_PRESENT, new byte[size]);
      assertBreaksConnection(() -> parse(message));
    }
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] message = opMsg(0, sequence("documents", ONE, TWO), body(INSERT));
    for (int length = MessageHeader.BYTES; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThatThrownBy(() -> parse(cut))
          .as("cut to %d bytes", length)
          .isInstanceOfAny(WireException.class, CommandException.class);
    }
  }

  @Test
  void twoBodies() {
    assertCode(opMsg(0, body(INSERT), body(INSERT)), ErrorCode.OP_MSG_BODY_TWICE);
  }

  @Test
  void noBody() {
    assertCode(opMsg(0), ErrorCode.OP_MSG_BODY_MISSING);
    assertCode(opMsg(0, sequence("documents", ONE)), ErrorCode.OP_MSG_BODY_MISSING);
  }

  @Test
  void sequencesOfOneName() {
    assertCode(
        opMsg(0, body(INSERT), sequence("documents", ONE), sequence("documents", TWO)),
        ErrorCode.OP_MSG_SEQUENCE_TWICE);
  }

  @Test
  void sequenceOfTheNameOfAField() {
    assertCode(
        opMsg(0, body(INSERT), sequence("insert", ONE)),
        ErrorCode.OP_MSG_FIELD_IN_BODY_AND_SEQUENCE);
  }

  @Test
  void threeSequencesBreakTheConnection() {
    byte[] message = opMsg(0, body(INSERT), sequence("a"), sequence("b"), sequence("c"));
    assertBreaksConnection(() -> parse(message));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 127, 128, 255})
  void unknownSectionKind(int kind) {
    byte[] section = join(new byte[] {(byte) kind}, ONE.toByteArray());
    assertCode(opMsg(0, body(INSERT), section), ErrorCode.OP_MSG_SECTION_KIND_UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 4, 5, 1000, Integer.MAX_VALUE})
  void sequenceOfAWrongLength(int length) {
    byte[] section = join(new byte[] {1}, int32(length), new byte[] {'n', 0}, ONE.toByteArray());
    assertThatThrownBy(() -> parse(opMsg(0, body(INSERT), section)))
        .isInstanceOf(WireException.class);
  }

  @Test
  void nameOfASequenceWithoutEnd() {
    byte[] section = join(new byte[] {1}, int32(7), new byte[] {'n', 'n', 'n'});
    assertBreaksConnection(() -> parse(opMsg(0, body(INSERT), section)));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 4, 1000, Integer.MAX_VALUE})
  void documentOfAWrongLength(int length) {
    byte[] wrong = INSERT.toByteArray();
    System.arraycopy(int32(length), 0, wrong, 0, 4);
    assertCode(opMsg(0, body(RawDocument.of(wrong))), ErrorCode.INVALID_BSON);
    assertCode(
        opMsg(0, body(INSERT), sequence("documents", ONE, RawDocument.of(wrong))),
        ErrorCode.INVALID_BSON);
  }

  @Test
  void documentThatReachesIntoTheChecksum() {
    byte[] longer = Arrays.copyOf(INSERT.toByteArray(), INSERT.length() + 2);
    System.arraycopy(int32(longer.length + 2), 0, longer, 0, 4);
    assertCode(opMsgWithChecksum(0, body(RawDocument.of(longer))), ErrorCode.INVALID_BSON);
  }

  @Test
  void invalidBsonInside() {
    byte[] badType = INSERT.toByteArray();
    badType[4] = 0x55;
    assertCode(opMsg(0, body(RawDocument.of(badType))), ErrorCode.INVALID_BSON);
  }

  @Test
  void nestingIsLimited() {
    assertThat(parse(opMsg(0, body(nested(200)))).body().isEmpty()).isFalse();
    assertCode(opMsg(0, body(nested(201))), ErrorCode.OVERFLOW);
    assertCode(opMsg(0, body(nested(5000))), ErrorCode.OVERFLOW);
  }

  @Test
  void documentsMayBeLittleLargerThanTheirLimit() {
    int max = 16 * 1024 * 1024 + 16 * 1024;
    assertThat(parse(opMsg(0, body(sized(max)))).body().length()).isEqualTo(max);
    assertCode(opMsg(0, body(sized(max + 1))), ErrorCode.BSON_OBJECT_TOO_LARGE);
    assertCode(
        opMsg(0, body(INSERT), sequence("documents", sized(max + 1))),
        ErrorCode.BSON_OBJECT_TOO_LARGE);
  }

  private static RawDocument sized(int bytes) {
    return new BsonBuilder(bytes).appendString("s", "x".repeat(bytes - 13)).toDocument();
  }

  private static RawDocument nested(int levels) {
    byte[] inner = {5, 0, 0, 0, 0};
    for (int i = 1; i < levels; i++) {
      inner = join(int32(inner.length + 8), new byte[] {3, 'a', 0}, inner, new byte[] {0});
    }
    return RawDocument.of(inner);
  }
}
