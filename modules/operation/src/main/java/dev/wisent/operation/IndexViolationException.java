package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;

/** An index cannot become unique, because documents share keys. */
public final class IndexViolationException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument violations;

  public IndexViolationException(RawDocument violations) {
    super(
        ErrorCode.CANNOT_CONVERT_INDEX_TO_UNIQUE,
        "Cannot convert the index to unique. Please resolve conflicting documents before running"
            + " collMod again.");
    this.violations = violations;
  }

  /** An array of {@code {ids: […]}}, one for each key that documents share. */
  public RawDocument violations() {
    return violations;
  }
}
