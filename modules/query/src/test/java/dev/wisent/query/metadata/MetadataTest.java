package dev.wisent.query.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetadataTest {
  private static final RawDocument DOCUMENT = RawDocument.parse("{_id: 1, a: {b: [1, 2]}}");
  private static final RawDocument KEY = RawDocument.parse("{a: 1, 'b.c': 'x'}");

  private final MetadataWriter writer = new MetadataWriter();

  private RawDocument carrying() {
    RawDocument inner = new MetadataWriter().start().put(MetaType.TEXT_SCORE, 1.5).on(DOCUMENT);
    return writer.start().put(MetaType.INDEX_KEY, RawValue.ofDocument(KEY)).on(inner);
  }

  @Test
  void isCarriedInFrontOfTheFields() {
    RawDocument carrying = carrying();
    assertThat(Metadata.isOn(carrying)).isTrue();
    assertThat(Metadata.of(carrying, MetaType.TEXT_SCORE)).isEqualTo(RawValue.ofDouble(1.5));
    assertThat(Metadata.of(carrying, MetaType.INDEX_KEY).asDocument()).isEqualTo(KEY);
    assertThat(Metadata.of(carrying, MetaType.SORT_KEY)).isNull();
    assertThat(Metadata.remove(carrying)).isEqualTo(DOCUMENT);
  }

  @Test
  void nothingIsCarriedByOtherDocuments() {
    for (String other : new String[] {"{}", "{_id: 1}", "{$meta: 1}", "{'$meta:': 1}", "{x: 1}"}) {
      RawDocument document = RawDocument.parse(other);
      assertThat(Metadata.isOn(document)).as(other).isFalse();
      assertThat(Metadata.of(document, MetaType.TEXT_SCORE)).isNull();
      assertThat(Metadata.remove(document)).isSameAs(document);
    }
  }

  @Test
  void movesToAnotherDocument() {
    RawDocument other = RawDocument.parse("{x: 1}");
    RawDocument moved = new MetadataWriter().move(carrying(), other);
    assertThat(Metadata.of(moved, MetaType.TEXT_SCORE)).isEqualTo(RawValue.ofDouble(1.5));
    assertThat(Metadata.remove(moved)).isEqualTo(other);
    RawDocument scored = new MetadataWriter().start().put(MetaType.TEXT_SCORE, 9).on(other);
    assertThat(new MetadataWriter().move(carrying(), scored)).isEqualTo(moved);
    RawDocument empty = new MetadataWriter().move(carrying(), RawDocument.EMPTY);
    assertThat(Metadata.remove(empty)).isEqualTo(RawDocument.EMPTY);
    assertThat(new MetadataWriter().move(other, scored)).isEqualTo(other);
  }

  @ParameterizedTest
  @EnumSource
  void namesAreKnown(MetaType type) {
    assertThat(MetaType.parse(RawValue.ofString(type.text()))).isSameAs(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1              | 17307 | $meta only supports string arguments
          null           | 17307 | $meta only supports string arguments
          ["textScore"]  | 17307 | $meta only supports string arguments
          "textscore"    | 17308 | Unsupported argument to $meta: textscore
          "score"        | 9     | 'featureFlagRankFusionFull' must be enabled to use 'score' or 'scoreDetails' meta field
          "scoreDetails" | 9     | 'featureFlagRankFusionFull' must be enabled to use 'score' or 'scoreDetails' meta field
          """)
  void refusals(String argument, int code, String message) {
    RawValue value = RawDocument.parse("{v: " + argument + "}").get("v");
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> MetaType.parse(value));
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
  }
}
