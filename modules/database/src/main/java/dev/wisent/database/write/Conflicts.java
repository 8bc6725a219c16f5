package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** Errors of transactions, most of which may be tried again as a whole. */
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

  /** Refuses a transaction that one entry of the log cannot take. */
  static void checkSize(long bytes, long bytesMax) {
    if (bytes > bytesMax) {
      throw new CommandException(
          ErrorCode.TRANSACTION_TOO_LARGE,
          "Total size of all transaction operations must be less than "
              + bytesMax
              + ". Actual size is "
              + bytes);
    }
  }

  /** Says that there is no open transaction of a number. */
  public static CommandException noSuchTransaction(String message) {
    return new CommandException(ErrorCode.NO_SUCH_TRANSACTION, message, TRANSIENT);
  }

  /**
   * Whether a batch ends with the error of one of its writes. In a transaction it does, and the
   * transaction with it.
   *
   * @throws CommandException the error, if the whole transaction may be tried again
   */
  static boolean endsBatch(CommandException error, boolean ordered, OperationContext operation) {
    if (TransactionWrites.of(operation) == null) {
      return ordered;
    }
    operation.writes().fail(error.code());
    if (operation.isKilled() || !isOfOneWrite(error.code())) {
      throw error;
    }
    return true;
  }

  /** Whether an error is about one write of a batch, and not about the transaction. */
  private static boolean isOfOneWrite(ErrorCode code) {
    return switch (code) {
      case TRANSACTION_TOO_LARGE,
          TRANSACTION_TOO_LARGE_FOR_CACHE,
          OPERATION_NOT_SUPPORTED_IN_TRANSACTION ->
          false;
      default -> !RetryableErrors.isTransientInTransaction(code.code());
    };
  }
}
