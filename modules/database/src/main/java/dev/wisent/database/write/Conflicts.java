package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.List;

/** Errors of transactions that may be tried again as a whole. */
public final class Conflicts {
  /** What tells drivers so. */
  public static final List<String> TRANSIENT = List.of("TransientTransactionError");

  private Conflicts() {}

  /** Says that another write was first. */
  static CommandException writeConflict() {
    return new CommandException(
        ErrorCode.WRITE_CONFLICT,
        "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please"
            + " retry your operation or multi-document transaction.",
        TRANSIENT);
  }

  /** Says that there is no open transaction of a number. */
  public static CommandException noSuchTransaction(String message) {
    return new CommandException(ErrorCode.NO_SUCH_TRANSACTION, message, TRANSIENT);
  }
}
