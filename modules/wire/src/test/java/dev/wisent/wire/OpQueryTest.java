package dev.wisent.wire;

import static dev.wisent.wire.TestMessages.document;
import static dev.wisent.wire.TestMessages.opQuery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OpQueryTest {
  private static final RawDocument IS_MASTER = document("{isMaster: 1, helloOk: true}");

  private static OpQuery parse(byte[] message) {
    return OpQuery.parse(message, message.length);
  }

  @Test
  void command() {
    OpQuery query = parse(opQuery("admin.$cmd", IS_MASTER));
    assertThat(query.isCommand()).isTrue();
    assertThat(query.database()).isEqualTo("admin");
    assertThat(query.query()).isEqualTo(IS_MASTER);
    assertThat(query.flags()).isEqualTo(4);
  }

  @Test
  void queryOfACollection() {
    OpQuery query = parse(opQuery("d.c.$cmdx", IS_MASTER));
    assertThat(query.isCommand()).isFalse();
    assertThat(query.database()).isEqualTo("d");
    assertThat(parse(opQuery("nodot", IS_MASTER)).database()).isEqualTo("nodot");
    assertThat(parse(opQuery("", IS_MASTER)).database()).isEmpty();
  }

  @Test
  void fieldSelectorBehindTheQueryIsPassedOver() {
    byte[] message =
        TestMessages.join(opQuery("admin.$cmd", IS_MASTER), document("{a: 1}").toByteArray());
    assertThat(parse(message).query()).isEqualTo(IS_MASTER);
  }

  @Test
  void everyTruncationBreaksTheConnection() {
    byte[] message = opQuery("admin.$cmd", IS_MASTER);
    for (int length = MessageHeader.BYTES; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThatThrownBy(() -> parse(cut)).as("%d", length).isInstanceOf(WireException.class);
    }
  }

  @Test
  void wrongDocumentLengthBreaksTheConnection() {
    int at = MessageHeader.BYTES + 4 + "admin.$cmd".length() + 1 + 8;
    for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 4, 500, Integer.MAX_VALUE}) {
      byte[] message = opQuery("admin.$cmd", IS_MASTER);
      LittleEndian.putInt32(message, at, length);
      assertThatThrownBy(() -> parse(message)).isInstanceOf(WireException.class);
    }
  }

  @Test
  void invalidBson() {
    byte[] query = IS_MASTER.toByteArray();
    query[4] = 0x44;
    assertThatThrownBy(() -> parse(opQuery("admin.$cmd", RawDocument.of(query))))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_BSON));
  }
}
