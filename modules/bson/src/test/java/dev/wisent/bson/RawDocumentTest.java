package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RawDocumentTest {
  private static final RawDocument DOCUMENT =
      RawDocument.parse("{a: 1, b: {a: 2, c: 3}, 'a.b': 4}");

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
