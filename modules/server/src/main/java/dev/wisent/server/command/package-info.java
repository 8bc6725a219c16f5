/**
 * What every command is made of: a {@link dev.wisent.server.command.Command} answers a {@link
 * dev.wisent.server.command.CommandRequest}, {@link dev.wisent.server.command.CommandSpec} is its
 * row in the table, {@link dev.wisent.server.command.ArgumentReader} checks its arguments.
 *
 * <p>A command is one small class in a package below this one, shared by all connections and
 * without state of a call.
 */
package dev.wisent.server.command;
