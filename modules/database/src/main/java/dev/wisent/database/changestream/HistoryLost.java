package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** The errors of streams that need entries which are no longer in the oplog. */
public final class HistoryLost {
  private HistoryLost() {}

  public static CommandException ofStart() {
    return new CommandException(
        ErrorCode.CHANGE_STREAM_HISTORY_LOST,
        "Resume of change stream was not possible, as the resume point may no longer be in the"
            + " oplog.");
  }

  static CommandException ofTransaction() {
    return new CommandException(
        ErrorCode.CHANGE_STREAM_HISTORY_LOST,
        "Oplog no longer has history necessary for $changeStream to observe operations from a"
            + " committed transaction.");
  }
}
