package dev.wisent.query.insert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.element.StorageRules;
import dev.wisent.query.update.element.TopLevelFields;

/**
 * Makes a client's document one that can be stored: with an {@code _id}, that in front, and the
 * current time in empty timestamps at the top level, unless they are kept. Most documents are that
 * already and come back as they are.
 */
public final class InsertNormalizer {
  private InsertNormalizer() {}

  /**
   * @param document well-formed BSON
   * @return the same object where nothing had to be done
   */
  public static RawDocument normalize(RawDocument document, UpdateContext context) {
    checkSizeAndDepth(document);
    TopLevelFields fields = TopLevelFields.of(document);
    RawValue id = fields.id();
    if (id != null) {
      StorageRules.checkInsertedId(id);
      boolean replaces = fields.hasEmptyTimestamp() && !context.keepsEmptyTimestamps();
      if (fields.idFirst() && !replaces) {
        return document;
      }
    } else {
      id = RawValue.ofObjectId(context.newObjectId().get());
    }
    return TopLevelFields.arranged(document, id, context.emptyTimestamps());
  }

  private static void checkSizeAndDepth(RawDocument document) {
    if (document.length() > Limits.DOCUMENT_BYTES_MAX) {
      // BadValue, not BSONObjectTooLarge: that is for what the wire protocol cannot carry.
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "object to insert too large. size in bytes: "
              + document.length()
              + ", max size: "
              + Limits.DOCUMENT_BYTES_MAX);
    }
    if (StorageRules.isDeeperThan(document, Limits.NESTING_DEPTH_MAX)) {
      throw new CommandException(
          ErrorCode.OVERFLOW,
          "cannot insert document because it exceeds "
              + Limits.NESTING_DEPTH_MAX
              + " levels of nesting");
    }
  }
}
