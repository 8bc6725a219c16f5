/**
 * The gate that every write goes through: {@link dev.wisent.database.gate.WriteGate}. It is open on
 * the leader only, and {@code fsync} can lock it. Below collections, sessions and the oplog, which
 * all enter it.
 *
 * <p><b>Threading.</b> Thread-safe. A thread waits here before it holds any other lock.
 */
package dev.wisent.database.gate;
