/**
 * Transactions and change streams on a replica set of real processes: what clients saw is checked,
 * while members are killed, paused, restarted and cut off from each other.
 *
 * <ul>
 *   <li>{@link dev.wisent.conformance.transaction.TransactionFaultTest}: the test;
 *   <li>{@link dev.wisent.conformance.transaction.BankClient}, {@link
 *       dev.wisent.conformance.transaction.ListClient}, {@link
 *       dev.wisent.conformance.transaction.RepeatedCommitClient}, {@link
 *       dev.wisent.conformance.transaction.StreamReader}: clients, which note what they saw;
 *   <li>{@link dev.wisent.conformance.transaction.BankHistory}, {@link
 *       dev.wisent.conformance.transaction.ListAppendHistory}, {@link
 *       dev.wisent.conformance.transaction.CommitHistory}, {@link
 *       dev.wisent.conformance.transaction.StreamHistory}: whether a database that keeps its word
 *       can have shown it.
 * </ul>
 *
 * <p>Threading: each client has a thread of its own; histories are shared.
 */
package dev.wisent.conformance.transaction;
