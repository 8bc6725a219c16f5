package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.update.element.ElementText;
import dev.wisent.query.update.element.StorageRules;
import dev.wisent.query.update.element.TopLevelFields;

/** An update that puts a whole document in the place of the old one, which keeps its _id. */
public final class Replacement implements Update {
  private static final int ID_ELEMENT_OVERHEAD_BYTES = 5;

  private final RawDocument given;

  /** What was given, with its {@code _id}, if it has one, in front. */
  private final RawDocument replacement;

  /** Null where the replacement has none. */
  private final RawValue id;

  private Replacement(RawDocument given, RawDocument replacement, RawValue id) {
    this.given = given;
    this.replacement = replacement;
    this.id = id;
  }

  /**
   * Puts the {@code _id} first and the current time into empty timestamps at the top level, as
   * inserts do (but not into {@code _id}), unless these are kept.
   */
  static Replacement of(RawDocument document, UpdateContext context) {
    TopLevelFields fields = TopLevelFields.of(document);
    boolean replaces = fields.hasEmptyTimestamp() && !context.keepsEmptyTimestamps();
    boolean asItIs = (fields.id() == null || fields.idFirst()) && !replaces;
    RawDocument arranged =
        asItIs
            ? document
            : TopLevelFields.arranged(document, fields.id(), context.emptyTimestamps());
    return new Replacement(document, arranged, fields.id());
  }

  @Override
  public UpdateOutcome apply(RawDocument original, MatchDetails details, boolean isInsert) {
    if (given.equals(original)) {
      return UpdateOutcome.unchanged(original);
    }
    UpdateOutcome outcome = replace(original, replacement, id, isInsert);
    if (!isInsert) {
      StorageRules.checkTopLevelNames(replacement);
    }
    return outcome;
  }

  /**
   * Puts a document in the place of another. That counts as a change even where the result is what
   * was there: MongoDB compares before it adds the {@code _id}.
   *
   * @param id that of the replacement, which comes first in it; null where it has none
   */
  static UpdateOutcome replace(
      RawDocument original, RawDocument replacement, RawValue id, boolean isInsert) {
    RawValue originalId = TopLevelFields.id(original);
    RawDocument result =
        id != null || originalId == null ? replacement : withId(originalId, replacement);
    if (!isInsert) {
      checkStorable(id, result);
    }
    if (id != null && originalId != null && !ValueOrder.equal(id, originalId)) {
      throw new CommandException(
          ErrorCode.IMMUTABLE_FIELD,
          "After applying the update, the (immutable) field '_id' was found to have been altered to"
              + " "
              + ElementText.of("_id", id));
    }
    return new UpdateOutcome(true, result, TouchedPaths.ALL);
  }

  private static void checkStorable(RawValue id, RawDocument result) {
    if (id != null) {
      StorageRules.checkUpdatedId(id);
    }
    StorageRules.checkDepth(result);
    Update.checkSize(result);
  }

  private static RawDocument withId(RawValue originalId, RawDocument replacement) {
    int bytes = replacement.length() + originalId.length() + ID_ELEMENT_OVERHEAD_BYTES;
    return new BsonBuilder(bytes).append("_id", originalId).appendAll(replacement).toDocument();
  }

  @Override
  public boolean needsMatchDetails() {
    return false;
  }
}
