/**
 * Transactions of several statements, as commands see them: {@link
 * dev.wisent.operation.transaction.Transactions} runs statements in a transaction, commits and
 * aborts it.
 */
package dev.wisent.operation.transaction;
