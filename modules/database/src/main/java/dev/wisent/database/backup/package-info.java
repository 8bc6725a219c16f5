/**
 * Binds {@link dev.wisent.operation.backup} to the stores of a node: {@link
 * dev.wisent.database.backup.NodeBackups} makes checkpoints of them below the data directory.
 *
 * <p><b>Threading.</b> Thread-safe.
 */
package dev.wisent.database.backup;
