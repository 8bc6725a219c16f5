package dev.wisent.sharding.advice;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.key.PlainValues;
import dev.wisent.query.path.FieldPath;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/** Months in place of moments: something that grows slowly. */
final class CoarseTime {
  private static final long MILLIS_PER_SECOND = 1_000;

  private CoarseTime() {}

  /** The name of the field that has the month of another one. */
  static String nameFor(String field) {
    return field.equals("_id") ? "month" : field.replace('.', '_') + "Month";
  }

  /** The document with the month of one of its fields, such as {@code "2026-04"}. */
  static RawDocument add(RawDocument document, String field) {
    long millis = millisAt(document, field);
    if (millis < 0) {
      return document;
    }
    String month = YearMonth.from(Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC)).toString();
    return new BsonBuilder(document.length() + 32)
        .appendAll(document)
        .appendString(nameFor(field), month)
        .toDocument();
  }

  /** The time that a date or an ObjectId has; negative where there is none. */
  static long millisAt(RawDocument document, String field) {
    RawValue value = PlainValues.valueOrArray(document, FieldPath.of(field));
    if (value == null) {
      return -1;
    }
    return switch (value.type()) {
      case ElementType.DATE -> value.asInt64();
      case ElementType.OBJECT_ID ->
          Integer.toUnsignedLong(value.asObjectId().getTimestamp()) * MILLIS_PER_SECOND;
      default -> -1;
    };
  }
}
