package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;

/** The {@code hint} argument: an index's name or key pattern. */
final class Hints {
  private Hints() {}

  /** The hint that the reader stands on; null for an empty document, which means none. */
  static RawValue check(ArgumentReader reader) {
    RawValue hint = reader.value();
    if (hint.isString()) {
      return hint;
    }
    if (hint.isDocument()) {
      NaturalOrder.checkDirection("hint", hint.asDocument());
      return hint.asDocument().isEmpty() ? null : hint;
    }
    throw new CommandException(ErrorCode.FAILED_TO_PARSE, "Hint must be a string or an object");
  }
}
