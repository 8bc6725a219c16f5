package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import org.junit.jupiter.api.Test;

class BsonBuilderTest {
  @Test
  void writesWhatTheDriversLibraryWrites() {
    var builder = new BsonBuilder(1);
    builder.appendInt32("i", 1).startDocument("größe").appendString("s", "ä\u0000b").end();
    builder.startArray("a");
    for (int i = 0; i < 12; i++) {
      builder.append(i, RawValue.ofInt32(i));
    }
    builder.startArray(12).end().end().appendDouble("d", 0.5);
    assertThat(builder.toDocument())
        .isEqualTo(
            RawDocument.parse(
                "{i: 1, 'größe': {s: 'ä\\u0000b'},"
                    + " a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, []], d: 0.5}"));
  }

  @Test
  void namesWithNullAreRefused() {
    for (String name : new String[] {"\u0000", "a\u0000b", "ä\u0000"}) {
      assertThatThrownBy(() -> new BsonBuilder().appendNull(name))
          .isInstanceOf(CommandException.class)
          .hasMessage("Field names may not contain embedded nulls");
    }
  }

  @Test
  void startsOverBehindReservedBytes() {
    var builder = new BsonBuilder();
    builder.startDocument("left open").appendInt32("x", 1);
    builder.reset(3);
    assertThat(builder.appendInt32("a", 1).position()).isEqualTo(3 + 4 + 7);
    assertThat(builder.toDocument()).isEqualTo(RawDocument.parse("{a: 1}"));
  }
}
