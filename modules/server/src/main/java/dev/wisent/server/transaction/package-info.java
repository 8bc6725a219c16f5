/**
 * Transactions of clients: {@link dev.wisent.server.transaction.ClientTransactions} runs statements
 * in them and ends what belongs to them, their cursors for one. Thread-safe.
 */
package dev.wisent.server.transaction;
