/** Commands that are running, for currentOp, killOp and shutdown. Thread-safe. */
package dev.wisent.server.operation;
