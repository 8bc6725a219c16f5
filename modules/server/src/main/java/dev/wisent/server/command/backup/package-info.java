/**
 * Commands that copy a node's store as files while it is used, for {@code wisent backup}: {@code
 * backupBegin} fixes a state and lists its files, {@code backupRead} gives their bytes, {@code
 * backupEnd} gives the state up. {@link dev.wisent.server.command.backup.BackupTable} has the rows.
 *
 * <p><b>Threading.</b> Commands are shared by all connections and keep no state of a call.
 */
package dev.wisent.server.command.backup;
