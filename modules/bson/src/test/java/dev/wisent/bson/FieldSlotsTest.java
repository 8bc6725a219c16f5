package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FieldSlotsTest {
  private final FieldSlots slots =
      new FieldSlots(new byte[][] {name("a"), name("a name of many bytes")});

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void findsFields() {
    slots.read(RawDocument.parse("{b: 1, 'a name of many bytes': 'x', a: 2, a: 3}"));
    assertThat(slots.value(0)).isEqualTo(RawValue.ofInt32(2));
    assertThat(slots.value(1)).isEqualTo(RawValue.ofString("x"));
  }

  @Test
  void forgetsWhatTheDocumentBeforeHad() {
    slots.read(RawDocument.parse("{a: 'a long text'}"));
    slots.read(RawDocument.parse("{b: 1}"));
    assertThat(slots.type(0)).isEqualTo(FieldSlots.MISSING);
    assertThat(slots.length(0)).isZero();
    assertThat(slots.value(0)).isNull();
  }
}
