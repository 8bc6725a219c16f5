package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.diff.DiffApplier;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.update.element.StorageRules;

/** An update as the oplog says it: how the document has changed. Clients cannot send it as one. */
public final class DiffUpdate implements Update {
  private final RawDocument diff;

  public DiffUpdate(RawDocument diff) {
    this.diff = diff;
  }

  @Override
  public UpdateOutcome apply(RawDocument original, MatchDetails positional, boolean isInsert) {
    RawDocument result = DiffApplier.apply(diff, original);
    if (result.equals(original)) {
      return UpdateOutcome.unchanged(original);
    }
    RawValue id = original.get("_id");
    if (id != null && !id.equals(result.get("_id"))) {
      throw new CommandException(
          ErrorCode.IMMUTABLE_FIELD, "The (immutable) field '_id' cannot be changed by a diff");
    }
    StorageRules.checkDepth(result);
    Update.checkSize(result);
    return new UpdateOutcome(true, result, TouchedPaths.ALL);
  }

  @Override
  public boolean needsMatchDetails() {
    return false;
  }
}
