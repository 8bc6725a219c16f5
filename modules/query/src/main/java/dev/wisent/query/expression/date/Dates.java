package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** Values that stand for a moment: dates, timestamps and ObjectIds. */
final class Dates {
  private Dates() {}

  static boolean isDate(RawValue value) {
    return value != null
        && (value.type() == ElementType.DATE
            || value.type() == ElementType.TIMESTAMP
            || value.type() == ElementType.OBJECT_ID);
  }

  static long millis(RawValue value) {
    return switch (value.type()) {
      case ElementType.DATE -> value.asInt64();
      case ElementType.TIMESTAMP -> (value.asInt64() >>> 32) * 1000;
      case ElementType.OBJECT_ID -> value.asObjectId().getDate().getTime();
      default ->
          throw new CommandException(
              ErrorCode.DATE_COERCION,
              "can't convert from BSON type " + Values.typeName(value) + " to Date");
    };
  }

  static ZonedDateTime in(long epochMillis, ZoneId zone) {
    return Instant.ofEpochMilli(epochMillis).atZone(zone);
  }
}
