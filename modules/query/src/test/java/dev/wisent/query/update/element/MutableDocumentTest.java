package dev.wisent.query.update.element;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Edits over bytes. */
class MutableDocumentTest {
  private static MutableDocument document(String json) {
    return new MutableDocument(RawDocument.parse(json), false);
  }

  private static byte[] name(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void lookingChangesNothing() {
    RawDocument base = RawDocument.parse("{a: {b: 1}, c: [1]}");
    var document = new MutableDocument(base, false);
    assertThat(document.find(name("a")).value()).isEqualTo(base.get("a"));
    assertThat(document.find(name("x"))).isNull();
    assertThat(document.encode()).isSameAs(base);
    document.find(name("a")).open();
    assertThat(document.encode()).isEqualTo(base);
  }

  @Test
  void editsInAnyOrder() {
    var document = document("{a: 1, b: 2, c: 3, d: 4}");
    document.find(name("d")).set(RawValue.ofString("dd"));
    document.find(name("a")).set(RawValue.NULL);
    document.find(name("c")).remove();
    document.append(name("e"), RawValue.TRUE);
    document.find(name("b")).set(RawValue.ofDouble(2));
    assertThat(document.encode())
        .isEqualTo(RawDocument.parse("{a: null, b: 2.0, d: 'dd', e: true}"));
  }

  @Test
  void aRemovedFieldIsGone() {
    var document = document("{a: 1}");
    document.find(name("a")).remove();
    assertThat(document.find(name("a"))).isNull();
    document.append(name("a"), RawValue.ofInt32(2));
    assertThat(document.find(name("a")).value()).isEqualTo(RawValue.ofInt32(2));
    assertThat(document.encode()).isEqualTo(RawDocument.parse("{a: 2}"));
  }

  @Test
  void nestedEditsShowInTheValue() {
    var document = document("{a: {b: {c: 1}}}");
    MutableElement a = document.find(name("a"));
    MutableElement b = a.open().find(name("b"));
    b.open().find(name("c")).set(RawValue.ofString("longer than it was"));
    b.open().append(name("d"), RawValue.FALSE);
    assertThat(a.value().asDocument())
        .isEqualTo(RawDocument.parse("{b: {c: 'longer than it was', d: false}}"));
    assertThat(document.encode())
        .isEqualTo(RawDocument.parse("{a: {b: {c: 'longer than it was', d: false}}}"));
  }

  @Test
  void paddingIsSplitWhereItIsUsed() {
    var array = new MutableDocument(RawDocument.parse("{a: [7]}").get("a").asDocument(), true);
    array.appendNulls(11);
    assertThat(array.size()).isEqualTo(12);
    array.at(5).set(RawValue.ofInt32(5));
    array.at(1).set(RawValue.ofInt32(1));
    array.at(11).set(RawValue.ofInt32(11));
    array.at(0).set(RawValue.ofInt32(0));
    assertThat(array.at(12)).isNull();
    assertThat(RawValue.ofArray(array.encode()))
        .isEqualTo(
            RawDocument.parse("{a: [0, 1, null, null, null, 5, null, null, null, null, null, 11]}")
                .get("a"));
  }

  @Test
  void namesAndPositions() {
    assertThat(FieldName.of("7").index()).isEqualTo(7);
    assertThat(FieldName.of("007").index()).isEqualTo(7);
    assertThat(FieldName.of("4294967295").index()).isEqualTo(Integer.MAX_VALUE);
    assertThat(FieldName.of("4294967296").index()).isEqualTo(FieldName.NOT_AN_INDEX);
    assertThat(FieldName.of("-1").index()).isEqualTo(FieldName.NOT_AN_INDEX);
    assertThat(FieldName.of("").index()).isEqualTo(FieldName.NOT_AN_INDEX);
    assertThat(FieldName.of("9")).isLessThan(FieldName.of("10"));
    assertThat(FieldName.of("10")).isLessThan(FieldName.of("9a"));
    assertThat(FieldName.of("b")).isGreaterThan(FieldName.of("a10"));
    // By code point, not by UTF-16 unit.
    assertThat(FieldName.of("\uFFEE")).isLessThan(FieldName.of("\uD83D\uDE00"));
  }
}
