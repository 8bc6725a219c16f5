/**
 * Replica sets: members that keep the same data by applying the same log.
 *
 * <p>{@link dev.wisent.replication.raft} is the log, {@link dev.wisent.replication.config} what an
 * administrator says about a set; this package brings both together into what commands and drivers
 * see.
 */
package dev.wisent.replication;
