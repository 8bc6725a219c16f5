package dev.wisent.query.update.element;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * What has to be known of the top level of a document before it is stored.
 *
 * @param id the {@code _id}, or null
 * @param idFirst whether it comes first
 * @param hasEmptyTimestamp whether a field other than {@code _id} is a timestamp of zero, which
 *     means the current time
 */
public record TopLevelFields(RawValue id, boolean idFirst, boolean hasEmptyTimestamp) {
  private static final byte[] ID = "_id".getBytes(StandardCharsets.US_ASCII);
  private static final int ID_ELEMENT_OVERHEAD_BYTES = 5;

  public static TopLevelFields of(RawDocument document) {
    RawValue id = null;
    boolean idFirst = false;
    boolean hasEmptyTimestamp = false;
    ElementCursor cursor = document.elements();
    for (int i = 0; cursor.next(); i++) {
      if (cursor.nameEquals(ID)) {
        if (id != null) {
          throw new CommandException(
              ErrorCode.BAD_VALUE, "can't have multiple _id fields in one document");
        }
        id = cursor.value();
        idFirst = i == 0;
      } else {
        hasEmptyTimestamp |= isEmptyTimestamp(cursor);
      }
    }
    return new TopLevelFields(id, idFirst, hasEmptyTimestamp);
  }

  /** The {@code _id} of a document, or null. */
  public static RawValue id(RawDocument document) {
    return document.get(ID);
  }

  /**
   * The document with this {@code _id} in front instead of its own.
   *
   * @param id null for none
   * @param nextTimestamp what to put into empty timestamps; null leaves them
   */
  public static RawDocument arranged(
      RawDocument document, RawValue id, LongSupplier nextTimestamp) {
    int idBytes = id == null ? 0 : id.length() + ID_ELEMENT_OVERHEAD_BYTES;
    var builder = new BsonBuilder(document.length() + idBytes);
    if (id != null) {
      builder.append(ID, id);
    }
    ElementCursor cursor = document.elements();
    while (cursor.next()) {
      if (cursor.nameEquals(ID)) {
        continue;
      }
      if (nextTimestamp != null && isEmptyTimestamp(cursor)) {
        builder.appendUnderNameOf(cursor, RawValue.ofTimestamp(nextTimestamp.getAsLong()));
      } else {
        builder.appendElement(cursor);
      }
    }
    return builder.toDocument();
  }

  private static boolean isEmptyTimestamp(ElementCursor cursor) {
    return cursor.type() == ElementType.TIMESTAMP
        && LittleEndian.int64(cursor.bytes(), cursor.valueOffset()) == 0;
  }
}
