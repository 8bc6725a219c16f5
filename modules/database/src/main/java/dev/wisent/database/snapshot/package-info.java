/**
 * States of the store at cluster times: {@link dev.wisent.database.snapshot.ReadState} is one that
 * an operation reads, {@link dev.wisent.database.snapshot.SnapshotHistory} keeps those of the
 * recent past. Below collections, which check that their definitions fit a state.
 *
 * <p><b>Threading.</b> Thread-safe.
 */
package dev.wisent.database.snapshot;
