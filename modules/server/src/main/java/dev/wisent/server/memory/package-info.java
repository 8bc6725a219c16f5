/**
 * What messages, their replies and the large values that are read for them may take of the heap
 * together: {@link dev.wisent.server.memory.MessageMemory} is the budget of the node, {@link
 * dev.wisent.server.memory.OperationMemory} the part of one connection's running operation.
 *
 * <p><b>Threading rule.</b> The budget is for any thread. An operation's part belongs to the thread
 * that runs the operation. docs/decisions/0021-message-memory.md has the reasons.
 */
package dev.wisent.server.memory;
