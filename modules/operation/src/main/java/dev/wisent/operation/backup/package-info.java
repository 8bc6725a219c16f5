/**
 * Copies of a node's store as files, while it is used: {@link dev.wisent.operation.backup.Backups}
 * fixes a state, whose files are then read part by part.
 *
 * <p><b>Threading.</b> {@code Backups} is thread-safe, the records are immutable values.
 */
package dev.wisent.operation.backup;
