package dev.wisent.operation.transaction;

import dev.wisent.bson.RawDocument;

/**
 * One statement of a transaction, as its client sent it.
 *
 * @param starts whether the transaction starts with it
 * @param readConcern as {@code currentOp} shows it; null if the client gave none
 * @param readTime the cluster time to read at, as the 64 bits of a BSON timestamp; 0 for the newest
 *     state. Only for the first statement.
 */
public record TransactionStatement(
    TransactionId id, boolean starts, RawDocument readConcern, long readTime) {}
