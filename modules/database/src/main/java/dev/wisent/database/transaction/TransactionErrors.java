package dev.wisent.database.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.write.Conflicts;
import dev.wisent.operation.transaction.TransactionId;

/** What is wrong with the number of a transaction, in MongoDB's words. */
final class TransactionErrors {
  private TransactionErrors() {}

  /**
   * Refuses to start a transaction.
   *
   * @param newest the newest number of the session
   * @param transaction whether that is of a transaction, and not of a retryable write
   */
  static void checkStart(TransactionId id, long newest, boolean transaction) {
    if (newest > id.number()) {
      throw tooOld(id, newest, transaction);
    }
    if (newest == id.number()) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "Only servers in a sharded cluster can start a new transaction at the active transaction"
              + " number");
    }
  }

  static CommandException tooOld(TransactionId id, long newest, boolean transaction) {
    return new CommandException(
        ErrorCode.TRANSACTION_TOO_OLD,
        "Cannot start transaction with { txnNumber: "
            + id.number()
            + " } on session "
            + id.session()
            + " because a newer "
            + (transaction ? "transaction" : "retryable write")
            + " with txnNumberAndRetryCounter { txnNumber: "
            + newest
            + " } has already started on this session.");
  }

  static CommandException isCommitted(TransactionId id) {
    return new CommandException(
        ErrorCode.TRANSACTION_COMMITTED,
        "Transaction with { txnNumber: " + id.number() + " } has been committed.");
  }

  static CommandException isAborted(TransactionId id) {
    return Conflicts.noSuchTransaction(
        "Transaction with { txnNumber: " + id.number() + " } has been aborted.");
  }

  static CommandException isNotActive(TransactionId id, long active) {
    return Conflicts.noSuchTransaction(
        "Given transaction number "
            + id.number()
            + " does not match any in-progress transactions. The active transaction number is "
            + active);
  }

  static CommandException isPrepared() {
    return new CommandException(
        ErrorCode.PREPARED_TRANSACTION_IN_PROGRESS,
        "Cannot call any operation other than abort, prepare or commit on a prepared transaction");
  }

  static CommandException commitTimeMissing() {
    return new CommandException(
        ErrorCode.INVALID_OPTIONS,
        "commitTransaction must provide commitTimestamp to prepared transaction.");
  }

  static CommandException commitTimeGiven() {
    return new CommandException(
        ErrorCode.INVALID_OPTIONS,
        "commitTransaction provided commitTimestamp to unprepared transaction.");
  }

  static CommandException commitTimeTooOld() {
    return new CommandException(
        ErrorCode.INVALID_OPTIONS,
        "'commitTimestamp' must be greater than or equal to 'prepareTimestamp'");
  }

  static CommandException notPrimary() {
    return new CommandException(
        ErrorCode.NOT_WRITABLE_PRIMARY, "Not primary so we cannot begin or continue a transaction");
  }
}
