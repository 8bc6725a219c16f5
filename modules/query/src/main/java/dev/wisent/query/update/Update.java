package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.MatchDetails;

/** An update, parsed once and applied to many documents. Immutable. */
public sealed interface Update permits Replacement, ModifierUpdate, PipelineUpdate, DiffUpdate {
  /**
   * Applies the update to a document.
   *
   * @param positional which array element the query matched, for the positional {@code $}; may be
   *     null where {@link #needsMatchDetails()} is false
   * @param isInsert whether an upsert is about to insert the result: {@code $setOnInsert} applies,
   *     and the result is not checked, since the whole document still has to be
   */
  UpdateOutcome apply(RawDocument original, MatchDetails positional, boolean isInsert);

  /** Whether the query has to say which array element it matched. */
  boolean needsMatchDetails();

  /** Refuses results that are too large to be stored. */
  static void checkSize(RawDocument result) {
    if (result.length() > Limits.DOCUMENT_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.UPDATED_DOCUMENT_TOO_LARGE,
          "Resulting document after update is larger than " + Limits.DOCUMENT_BYTES_MAX);
    }
  }
}
