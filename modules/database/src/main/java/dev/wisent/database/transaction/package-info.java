/**
 * Transactions of several statements: {@link dev.wisent.database.transaction.NodeTransactions}
 * knows the newest one of each session, and starts, ends and counts them. What a transaction has
 * read and written is in {@link dev.wisent.database.write.TransactionWrites}; {@link
 * dev.wisent.database.write.TransactionCommit} makes it permanent.
 *
 * <p><b>Threading.</b> Thread-safe. A statement, a commit and an abort that a client asks for run
 * in the turn of their session. Any thread may ask for the end of a transaction: if a statement
 * runs, it is ended first, and its thread ends the transaction.
 */
package dev.wisent.database.transaction;
