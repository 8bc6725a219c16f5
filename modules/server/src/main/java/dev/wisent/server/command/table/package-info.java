/**
 * The rows of all packages of commands together: {@link
 * dev.wisent.server.command.table.CommandTable}. This package knows the packages with commands;
 * none of them knows it.
 */
package dev.wisent.server.command.table;
