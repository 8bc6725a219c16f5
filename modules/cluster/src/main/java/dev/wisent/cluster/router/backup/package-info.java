/**
 * Backups through a router: {@link dev.wisent.cluster.router.backup.BackupForwarding} sends the
 * commands to members of shards and of the config servers.
 *
 * <p><b>Threading.</b> Commands are shared by all connections and keep no state of a call.
 */
package dev.wisent.cluster.router.backup;
