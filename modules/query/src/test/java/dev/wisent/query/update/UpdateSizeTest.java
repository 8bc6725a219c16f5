package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.MatchParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results of exactly the largest size, and of one byte more. */
class UpdateSizeTest {
  /** {@code {_id: 1, t: "xx…"}} of a total size. */
  private static RawDocument sized(int bytes) {
    int envelope = document("").length();
    return document("x".repeat(bytes - envelope));
  }

  private static RawDocument document(String text) {
    return new BsonBuilder().appendInt32("_id", 1).appendString("t", text).toDocument();
  }

  private static Update update(RawDocument update) {
    return UpdateParser.parse(RawValue.ofDocument(update), List.of(), UpdateCases.CONTEXT);
  }

  @Test
  void operators() {
    RawDocument original = sized(Limits.DOCUMENT_BYTES_MAX - 3);
    Update grow = update(RawDocument.parse("{$set: {u: null}}"));
    RawDocument largest = grow.apply(original, null, false).document();
    assertThat(largest.length()).isEqualTo(Limits.DOCUMENT_BYTES_MAX);
    Update more = update(RawDocument.parse("{$set: {v: null}}"));
    assertThatThrownBy(() -> more.apply(largest, null, false))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UPDATED_DOCUMENT_TOO_LARGE))
        .hasMessage("Resulting document after update is larger than 16777216");
  }

  @Test
  void replacements() {
    RawDocument original = RawDocument.parse("{_id: 1}");
    RawDocument largest = sized(Limits.DOCUMENT_BYTES_MAX);
    assertThat(update(largest).apply(original, null, false).document()).isEqualTo(largest);
    Update tooLarge = update(sized(Limits.DOCUMENT_BYTES_MAX + 1));
    assertThatThrownBy(() -> tooLarge.apply(original, null, false))
        .hasMessage("Resulting document after update is larger than 16777216");
  }

  @Test
  void upserts() {
    var all = MatchParser.parse(RawDocument.EMPTY, UpdateCases.QUERY);
    RawDocument largest = sized(Limits.DOCUMENT_BYTES_MAX);
    assertThat(UpsertBuilder.build(update(largest), all, UpdateCases.CONTEXT)).isEqualTo(largest);
    Update tooLarge = update(sized(Limits.DOCUMENT_BYTES_MAX + 1));
    assertThatThrownBy(() -> UpsertBuilder.build(tooLarge, all, UpdateCases.CONTEXT))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UPSERT_DOCUMENT_TOO_LARGE))
        .hasMessage("Document to upsert is larger than 16777216");
  }

  @Test
  void paddingStaysWithinTheLimits() {
    Update pad = update(RawDocument.parse("{$set: {'a.1500000': 1}}"));
    RawDocument padded = pad.apply(RawDocument.parse("{_id: 1, a: []}"), null, false).document();
    RawValue array = padded.get("a");
    assertThat(array.asDocument().fieldCount()).isEqualTo(1_500_001);
    assertThat(array.asDocument().get("1500000")).isEqualTo(RawValue.ofInt32(1));
    assertThat(array.asDocument().get("999999")).isEqualTo(RawValue.NULL);
  }
}
