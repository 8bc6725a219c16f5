/**
 * From a request to a reply: {@link dev.wisent.server.dispatch.CommandDispatcher} finds a command
 * in the {@link dev.wisent.server.dispatch.CommandRegistry}, checks what holds for all requests,
 * runs the command as an operation and completes its reply. It knows no command by name.
 */
package dev.wisent.server.dispatch;
