/**
 * From a request to a reply: {@link dev.wisent.server.command.CommandTable} lists the commands,
 * {@link dev.wisent.server.command.CommandDispatcher} finds and runs them, {@link
 * dev.wisent.server.command.ArgumentReader} checks their arguments.
 *
 * <p>A command is one small class, shared by all connections and without state of a call.
 */
package dev.wisent.server.command;
