/**
 * Commands about the replica set: {@code replSet...}, of administrators and of other members, and
 * what hello and serverStatus say about it.
 */
package dev.wisent.server.command.replication;
