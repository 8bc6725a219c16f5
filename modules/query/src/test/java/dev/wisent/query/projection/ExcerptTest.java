package dev.wisent.query.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExcerptTest {
  private static RawDocument of(String document, String... paths) {
    return Excerpt.ofPaths(List.of(paths)).of(RawDocument.parse(document));
  }

  @Test
  void wholeFieldsInTheirOrder() {
    assertThat(of("{_id: 1, b: {x: 1, y: [2]}, c: 'c', a: null}", "a", "b.x", "b.z"))
        .isEqualTo(RawDocument.parse("{b: {x: 1, y: [2]}, a: null}"));
  }

  @Test
  void whatIsMissingStaysMissing() {
    assertThat(of("{_id: 1, aa: 2}", "a", "aaa")).isEqualTo(RawDocument.EMPTY);
    assertThat(of("{}", "a")).isEqualTo(RawDocument.EMPTY);
  }

  @Test
  void namesOfAnyLength() {
    assertThat(of("{schön: 1, längerAlsAchtBytes: 'ä', längerAlsAcht: 3}", "längerAlsAchtBytes.x"))
        .isEqualTo(RawDocument.parse("{längerAlsAchtBytes: 'ä'}"));
  }

  @Test
  void ofTwoFieldsWithOneNameTheFirst() {
    var twice = new BsonBuilder().appendInt32("a", 1).appendInt32("a", 2).toDocument();
    assertThat(Excerpt.ofPaths(List.of("a", "b")).of(twice)).isEqualTo(RawDocument.parse("{a: 1}"));
  }

  @Test
  void largeDocumentsFollowSmallOnes() {
    var excerpt = Excerpt.ofPaths(List.of("a"));
    for (int i = 0; i < 2_000; i += 100) {
      var document = new BsonBuilder().appendString("a", "x".repeat(i)).toDocument();
      assertThat(excerpt.of(document)).isEqualTo(document);
    }
  }
}
