package dev.wisent.query.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.update.UpdateCases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of documents before they are inserted. */
class InsertNormalizerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: 1}",
        "{_id: 1, a: [1, {b: 2}]}",
        "{_id: {a: 1}}",
        "{_id: null}",
        "{_id: Timestamp(0, 0)}",
        "{_id: {$ref: 'c', $id: 1}}",
        "{_id: 1, $a: 1, 'b.c': 2, d: {$e: 1}}",
        "{_id: 1, a: {b: Timestamp(0, 0)}}"
      })
  void mostComeBackAsTheyAre(String json) {
    RawDocument document = UpdateCases.inTheMiddle(RawDocument.parse(json));
    assertThat(InsertNormalizer.normalize(document, UpdateCases.CONTEXT)).isSameAs(document);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {} | {_id: ObjectId('0123456789abcdef01234567')}
          {a: 1} | {_id: ObjectId('0123456789abcdef01234567'), a: 1}
          {a: 1, _id: 2, b: 3} | {_id: 2, a: 1, b: 3}
          {_id: 1, t: Timestamp(0, 0)} | {_id: 1, t: Timestamp(7, 1)}
          {t: Timestamp(0, 0), u: Timestamp(0, 1)} | {_id: ObjectId('0123456789abcdef01234567'), t: Timestamp(7, 1), u: Timestamp(0, 1)}
          {t: Timestamp(0, 0), _id: Timestamp(0, 0)} | {_id: Timestamp(0, 0), t: Timestamp(7, 1)}
          """)
  void othersAreArranged(String json, String expected) {
    RawDocument document = UpdateCases.inTheMiddle(RawDocument.parse(json));
    assertThat(InsertNormalizer.normalize(document, UpdateCases.CONTEXT))
        .isEqualTo(RawDocument.parse(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: [1]} | 53 | The '_id' value cannot be of type array
          {a: 1, _id: /x/} | 53 | The '_id' value cannot be of type regex
          {_id: {$undefined: true}} | 53 | The '_id' value cannot be of type undefined
          {_id: {$x: 1}} | 52 | _id fields may not contain '$'-prefixed fields: $x is not valid for storage.
          {_id: {a: [{$x: 1}]}} | 52 | _id fields may not contain '$'-prefixed fields: $x is not valid for storage.
          {_id: {$id: 1}} | 55 | Found $id field without a $ref before it, which is invalid.
          """)
  void badIds(String json, int code, String message) {
    assertError(RawDocument.parse(json), code, message);
  }

  @Test
  void oneIdIsEnough() {
    RawDocument document =
        new BsonBuilder().appendInt32("_id", 1).appendInt32("_id", 1).toDocument();
    assertError(document, 2, "can't have multiple _id fields in one document");
  }

  @Test
  void sizeIsLimited() {
    assertThat(InsertNormalizer.normalize(sized(Limits.DOCUMENT_BYTES_MAX), UpdateCases.CONTEXT))
        .isNotNull();
    assertError(
        sized(Limits.DOCUMENT_BYTES_MAX + 1),
        2,
        "object to insert too large. size in bytes: 16777217, max size: 16777216");
  }

  private static RawDocument sized(int bytes) {
    RawDocument empty = new BsonBuilder().appendInt32("_id", 1).appendString("t", "").toDocument();
    return new BsonBuilder(bytes)
        .appendInt32("_id", 1)
        .appendString("t", "x".repeat(bytes - empty.length()))
        .toDocument();
  }

  @Test
  void nestingIsLimited() {
    RawDocument deepest = nested(180);
    assertThat(InsertNormalizer.normalize(deepest, UpdateCases.CONTEXT)).isSameAs(deepest);
    assertError(nested(181), 15, "cannot insert document because it exceeds 180 levels of nesting");
  }

  /** A document whose innermost field lies at a level. */
  private static RawDocument nested(int levels) {
    var builder = new BsonBuilder().appendInt32("_id", 1);
    for (int i = 1; i < levels; i++) {
      builder.startDocument("a");
    }
    builder.appendInt32("a", 1);
    for (int i = 1; i < levels; i++) {
      builder.end();
    }
    return builder.toDocument();
  }

  private static void assertError(RawDocument document, int code, String message) {
    var thrown =
        catchThrowableOfType(
            CommandException.class,
            () -> InsertNormalizer.normalize(document, UpdateCases.CONTEXT));
    assertThat(thrown).as("an error").isNotNull();
    assertThat(thrown.getMessage()).isEqualTo(message);
    assertThat(thrown.code().code()).isEqualTo(code);
  }
}
