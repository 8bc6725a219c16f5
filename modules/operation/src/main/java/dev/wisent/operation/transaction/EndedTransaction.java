package dev.wisent.operation.transaction;

import dev.wisent.base.ErrorCode;

/**
 * A transaction that has ended.
 *
 * @param transaction as it was at its end
 * @param abortedBy why it was aborted without its client; null for one that was committed, that its
 *     client aborted, or of which a statement failed
 */
public record EndedTransaction(
    OpenTransaction transaction, boolean committed, ErrorCode abortedBy) {}
