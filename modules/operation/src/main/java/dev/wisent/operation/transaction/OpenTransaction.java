package dev.wisent.operation.transaction;

import dev.wisent.bson.RawDocument;

/**
 * A transaction that has started and not ended, as {@code currentOp} shows it.
 *
 * @param readConcern as its first statement had it; null if it had none
 * @param readTime the cluster time of its snapshot; 0 before the first read
 * @param idle whether no statement is running
 */
public record OpenTransaction(
    TransactionId id,
    RawDocument readConcern,
    long readTime,
    long startWallMillis,
    long openMicros,
    long activeMicros,
    long expiryWallMillis,
    boolean idle) {}
