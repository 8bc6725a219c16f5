package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RawDocumentTest {
  private static final RawDocument DOCUMENT =
      RawDocument.parse("{a: 1, b: {a: 2, c: 3}, 'a.b': 4}");

  @Test
  void oneFieldIsLeftOutByItsName() {
    var longer = new BsonBuilder().appendDocument("d", DOCUMENT).toDocument();
    for (RawDocument document : new RawDocument[] {DOCUMENT, longer.get("d").asDocument()}) {
      ElementCursor fields = DOCUMENT.elements();
      while (fields.next()) {
        byte[] name = fields.name().getBytes(StandardCharsets.UTF_8);
        assertThat(document.without(name)).isEqualTo(DOCUMENT.without(Set.of(fields.name())));
      }
      assertThat(document.without(new byte[] {'x'})).isSameAs(document);
    }
  }

  @Test
  void leavesOutTopLevelFieldsByName() {
    assertThat(DOCUMENT.without(Set.of("a")))
        .isEqualTo(RawDocument.parse("{b: {a: 2, c: 3}, 'a.b': 4}"));
    assertThat(DOCUMENT.without(Set.of("a.b", "b", "d"))).isEqualTo(RawDocument.parse("{a: 1}"));
    assertThat(DOCUMENT.without(Set.of("a", "b", "a.b"))).isEqualTo(RawDocument.EMPTY);
  }

  @Test
  void isTheSameWithoutFieldsThatItDoesNotHave() {
    assertThat(DOCUMENT.without(Set.of("c"))).isSameAs(DOCUMENT);
    assertThat(DOCUMENT.without(Set.of())).isSameAs(DOCUMENT);
  }
}
